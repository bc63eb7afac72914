import { resolve } from 'node:path'
import { plural } from '@kron/cli'
import { type CalendarRanges, type NamedCalendar, printDate, printInstant, type Range } from '@kron/core'
import { configDirectory } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { countOption, instantOption } from '../context/option-values.ts'
import { printAnswer } from '../context/print.ts'
import { INVALID, requireValue } from '../context/refusal.ts'
import type { Run } from '../context/run.ts'
import type { CALENDAR } from '../program/preview-commands.ts'

const DAY = 86_400

export const run: Run<typeof CALENDAR> = (context, options, [, name = '']) => {
  const at = instantOption('at', options.at, context)
  const count = countOption('count', options.count, 20, 100_000)
  const { name: found, digest, ranges } = find(context, name)
  const { days, local, instants } = ranges!
  const next = upcoming(ranges!, at).slice(0, count)
  const total = { days: days.length, localTimes: local.length, times: instants.length }
  const line = ({ kind, from, to }: Shown): string =>
    `  ${from === to ? from : `${from} to ${to}`}${kind === 'local' ? ', local time of the job' : ''}`
  const document = { name: found, digest, ranges: total, next }
  return printAnswer(context, options, document, () => [
    `${found}: ${plural(days.length, 'range')} of days, ${plural(instants.length, 'range')} of times, ${plural(local.length, 'range')} of local times`,
    `SHA-256 ${digest}`,
    ...(next.length === 0 ? [`nothing from ${printInstant(at)} on`] : next.map(line)),
  ])
}

/** Finds a calendar by its name in the config directory, or by the path of its file. */
function find(context: CommandContext, name: string): NamedCalendar {
  const found = /\.(ics|dates)$/.test(name)
    ? context.calendars.file(resolve(context.cwd, name))
    : context.calendars.find(configDirectory(context), name)
  return requireValue(found, '', INVALID)
}

interface Shown {
  readonly kind: 'day' | 'time' | 'local'
  readonly from: string
  readonly to: string
}

/** The ranges that end after an instant, in the order of their starts. */
function upcoming({ days, local, instants }: CalendarRanges, at: number): Shown[] {
  const of = (kind: Shown['kind'], ranges: readonly Range[], unit: number, print: (n: number) => string) =>
    ranges
      .filter(([, to]) => (to + 1) * unit > at)
      .map(([from, to]) => ({ kind, from: print(from), to: print(to), starts: from * unit }))
  return [
    ...of('day', days, DAY, printDate),
    ...of('local', local, 1, second => printInstant(second).slice(0, -1)),
    ...of('time', instants, 1, printInstant),
  ]
    .sort((a, b) => a.starts - b.starts)
    .map(({ kind, from, to }) => ({ kind, from, to }))
}
