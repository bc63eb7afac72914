/** A command as a job file holds it. */
export interface Run {
  readonly command: string
  readonly shell: boolean
}

/** A word for a POSIX shell that means exactly this text. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Whether a command line means the same without a shell: plain words, the first an absolute path. */
export const needsNoShell = (command: string): boolean =>
  /^\/[\w@%+=:,./-]*(?: +[\w@%+=:,./-]+)*$/.test(command)
