import type { Schedule } from '@kron/core'
import type { Entry } from '@kron/host'

/** The name of every warning, as `lint` prints it. */
export const WARNING_RULES = [
  'little-room',
  'overlapping-windows',
  'dst-gap',
  'daily-seed',
  'no-deadline',
  'day-step',
  'relative-command',
  'shell-syntax',
  'wide-step',
  'dist-without-window',
  'weights',
  'herd',
  'missing-program',
  'missing-directory',
  'missing-log-directory',
  'missing-user',
  'no-syslog',
  'unsafe-file',
] as const
export type WarningRule = (typeof WARNING_RULES)[number]

/** The part of a line that a warning is about. */
export type Part = 'cron' | 'win' | 'dist' | 'seed' | 'policy' | 'only' | 'avoid' | 'command'

/** A definition that is allowed but probably a mistake. */
export interface Finding {
  readonly part: Part
  readonly message: string
  readonly hint: string
}

/** Checks a schedule alone, so that jobs with equal schedules are checked once. */
export type ScheduleRule = (schedule: Schedule, at: number) => Finding | undefined

/** Checks an entry and the line it was read from. */
export type EntryRule = (entry: Entry, source: string) => Finding | undefined

/** The position of a part in its line. */
export function placeOf(part: Part, source: string): { readonly at: number; readonly length: number } {
  const match = PATTERNS[part].exec(source) ?? PATTERNS.cron.exec(source)
  const text = match?.[1] ?? ''
  return { at: match === null ? 0 : match.index + match[0].length - text.length, length: text.length }
}

/** A finding about one line of a file. */
export interface Warning {
  readonly rule: WarningRule
  readonly job: string
  readonly line: number
  readonly column: number
  readonly length: number
  readonly message: string
  readonly hint: string
  readonly source: string
}

export function warningAt(
  { name: job, line }: Entry,
  rule: WarningRule,
  { part, message, hint }: Finding,
  source: string,
): Warning {
  const { at, length } = placeOf(part, source)
  return { rule, job, line, column: at + 1, length, message, hint, source }
}

const modifier = (name: string): RegExp => new RegExp(`[ \\t](@${name}\\([^ \\t]*)`)

const PATTERNS: Readonly<Record<Part, RegExp>> = {
  cron: /^[ \t]*(@[a-z]+|(?:[^ \t]+[ \t]+){4}[^ \t]+)/,
  win: modifier('win'),
  dist: modifier('dist'),
  seed: modifier('seed'),
  policy: modifier('policy'),
  only: modifier('only'),
  avoid: modifier('avoid'),
  command: /[ \t]command=("(?:[^"\\]|\\.)*"|[^ \t]*)/,
}
