export interface Variable {
  readonly name: string
  readonly value: string
  /** Nothing follows the `=`, not even quotes: cron treats such a line as a mistake. */
  readonly isBare: boolean
}

const VARIABLE =
  /^\s*(?:"([^"]*)"|'([^']*)'|((?!["'])[^\s=]*))\s*=\s*(?:"([^"]*)"\s*|'([^']*)'\s*|((?!["']).*))$/

/** A `NAME = value` line of a crontab, as cron reads it: quotes around the whole value are removed, nothing is expanded. */
export function readVariable(line: string): Variable | undefined {
  const match = VARIABLE.exec(line)
  if (match === null) return undefined
  const name = match[1] ?? match[2] ?? match[3]!
  const value = match[4] ?? match[5] ?? match[6]!.trimEnd()
  return { name, value, isBare: match[6]?.trim() === '' }
}
