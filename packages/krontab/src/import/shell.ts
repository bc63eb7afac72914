/** A command in the form of a job file. */
export interface Run {
  readonly command: string
  readonly shell: boolean
}

/** A word that a POSIX shell reads as exactly this text. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Whether a command line means the same without a shell: plain words, and the first is an absolute path. */
export const needsNoShell = (command: string): boolean =>
  /^\/[\w@%+=:,./-]*(?: +[\w@%+=:,./-]+)*$/.test(command)
