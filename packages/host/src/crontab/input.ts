export interface CommandAndInput {
  readonly command: string
  /** The text that cron sends to the command's standard input; undefined without an unescaped `%`. */
  readonly input: string | undefined
}

/** Cron's `%`: the first ends the command; the rest is standard input, with `%` for newlines. `\%` is a literal `%`. */
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

/** The last line always ends with a newline, as in cron. */
function readInput(text: string): string {
  const input = text.replace(/\\?%/g, found => (found === '%' ? '\n' : '%'))
  return input === '' || input.endsWith('\n') ? input : `${input}\n`
}
