import { quoted } from './print.ts'
import { shellSyntaxIn } from './shell-syntax.ts'

const CRONTAB_LINE = /^[ \t]*(@[a-z]+|(?:[^ \t=]+[ \t]+){4}[^ \t=]+)[ \t]+([^@ \t=][^=]*?|\/.*?)[ \t]*$/

/** The job line for a pasted crontab line; undefined if the line is none. `isCron` recognizes the time fields. */
export function rewrittenCrontabLine(line: string, isCron: (text: string) => boolean): string | undefined {
  const match = CRONTAB_LINE.exec(line)
  if (match === null || !isCron(match[1]!)) return undefined
  // A line of /etc/crontab names the user before the command; no program is called root.
  const user = /^root[ \t]+/.exec(match[2]!)?.[0] ?? ''
  const command = match[2]!.slice(user.length)
  const shell = shellSyntaxIn(command) === undefined ? '' : ' shell=true'
  return `${match[1]} name=${nameFor(command)} command=${quoted(command)}${shell}${user === '' ? '' : ' user=root'}`
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
