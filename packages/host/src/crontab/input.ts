export interface CommandAndInput {
  readonly command: string
  /** What cron feeds to the command; undefined if there is no unescaped `%`. */
  readonly input: string | undefined
}

/** Cron's `%`: the first ends the command, the rest is its standard input with `%` for newlines; `\%` is a `%`. */
export function splitInput(text: string): CommandAndInput {
  let command = ''
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!
    if (c === '%') return { command, input: readInput(text.slice(at + 1)) }
    if (c === '\\' && at + 1 < text.length) {
      command += text[at + 1] === '%' ? '%' : c + text[at + 1]!
      at++
    } else command += c
  }
  return { command, input: undefined }
}

/** The last line always ends with a newline, as cron sees to it. */
function readInput(text: string): string {
  const input = text.replace(/\\?%/g, found => (found === '%' ? '\n' : '%'))
  return input === '' || input.endsWith('\n') ? input : `${input}\n`
}
