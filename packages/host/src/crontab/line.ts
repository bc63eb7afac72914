import { expandMacro, isReboot } from './macro.ts'

/** One entry of a crontab, cut into its parts. */
export interface CrontabLine {
  /** The five fields; a macro is expanded. */
  readonly fields: readonly string[]
  /** The schedule as it is written: five fields or a macro. */
  readonly schedule: string
  /** The user column of a system crontab. */
  readonly user: string | undefined
  /** Cron accepts an empty one in a user's crontab. */
  readonly command: string
  /** A leading `-` asks cron not to log the line. */
  readonly quiet: boolean
  /** `@reboot`: it has no fields. */
  readonly isReboot: boolean
}

const EVERY_SECOND = '@every_second is finer than the minutes Kron counts in'

/** Splits an entry of a crontab into its parts, or returns the reason why it cannot be converted. */
export function readCrontabLine(text: string, withUser: boolean): CrontabLine | string {
  const quiet = /^-(?=[\d*@])/.test(text)
  const bare = quiet ? text.slice(1) : text
  const columns = withUser ? 1 : 0
  if (bare.startsWith('@')) {
    const [macro = '', ...rest] = cut(bare, 1 + columns)
    if (macro === '@every_second') return EVERY_SECOND
    const fields = isReboot(macro) ? [] : expandMacro(macro)?.split(' ')
    if (fields === undefined) return `${macro} is not a schedule that Kron knows`
    return finish(fields, macro, rest, withUser, quiet)
  }
  const parts = cut(bare, 5 + columns)
  if (parts.length < 5) return 'it has fewer than five time fields'
  return finish(parts.slice(0, 5), parts.slice(0, 5).join(' '), parts.slice(5), withUser, quiet)
}

function finish(
  fields: readonly string[],
  schedule: string,
  rest: readonly string[],
  withUser: boolean,
  quiet: boolean,
): CrontabLine | string {
  const user = withUser ? rest[0] : undefined
  const command = rest[withUser ? 1 : 0] ?? ''
  if (withUser && (user === undefined || user === '')) return 'the user column is missing'
  if (command === '' && withUser) return 'there is no command after the user column'
  return { fields, schedule, user, command, quiet, isReboot: isReboot(schedule) }
}

/** The first `count` words of a text, then the rest as one more word. */
function cut(text: string, count: number): string[] {
  const words: string[] = []
  let rest = text
  while (words.length < count) {
    const match = /^(\S+)[ \t]+/.exec(rest)
    if (match === null) break
    words.push(match[1]!)
    rest = rest.slice(match[0].length)
  }
  return rest === '' ? words : [...words, rest]
}
