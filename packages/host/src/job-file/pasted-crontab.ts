import { quoted } from './print.ts'
import { shellSyntaxIn } from './shell-syntax.ts'

const CRONTAB_LINE = /^[ \t]*(@[a-z]+|(?:[^ \t=]+[ \t]+){4}[^ \t=]+)[ \t]+([^@ \t=][^=]*?|\/.*?)[ \t]*$/

/** The job line for a pasted crontab line; undefined if the line is none. `isCron` recognizes the time fields. */
export function rewrittenCrontabLine(line: string, isCron: (text: string) => boolean): string | undefined {
  const match = CRONTAB_LINE.exec(line)
  if (match === null || !isCron(match[1]!)) return undefined
  const [, cron, command] = match
  const shell = shellSyntaxIn(command!) === undefined ? '' : ' shell=true'
  return `${cron} name=${nameFor(command!)} command=${quoted(command!)}${shell}`
}

/** A name derived from the program's name. */
function nameFor(command: string): string {
  const program = command
    .split(/[ \t]+/)[0]!
    .split('/')
    .at(-1)!
  const name = program
    .toLowerCase()
    .replace(/\.[a-z]+$/, '')
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return name === '' ? 'job' : name
}
