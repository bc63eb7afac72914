import { fieldOf, listOf } from '@kron/host'
import type { Calendar } from './calendar.ts'

export interface CalendarCron {
  readonly cron: string
  readonly only: readonly string[]
  readonly lastMinute: number
  readonly lost: readonly string[]
}

/** A calendar expression as cron fields with clauses, or the reason why that is impossible. */
export function cronOfCalendar(calendar: Calendar): CalendarCron | string {
  const { weekdays, years, months, days, hours, minutes, seconds } = calendar
  if (seconds === null || seconds.length > 1)
    return 'it runs several times a minute, and Kron counts in minutes'
  const lost = seconds[0] === 0 ? [] : [`second ${seconds[0]}: periods begin with their minute`]
  const only: string[] = []
  const everyDay = days === null || days.length === 31
  const everyWeekday = weekdays === null || weekdays.length === 7
  // In systemd both date and weekday must match; cron's rule would accept either.
  if (!everyDay && !everyWeekday) only.push(`dow=${listOf(weekdays!)}`)
  if (years !== null) {
    const spans = spansOf(years)
    if (spans.length > 32) return 'its years are too many single ones for the clauses of a job'
    for (const [from, to] of spans) only.push(`dates=${from}-01-01..${to}-12-31`)
  }
  const fields = [
    fieldOf(minutes ?? range(0, 59), 0, 59),
    fieldOf(hours ?? range(0, 23), 0, 23),
    everyDay ? '*' : listOf(days!),
    fieldOf(months ?? range(1, 12), 1, 12),
    everyWeekday || !everyDay ? '*' : listOf(weekdays!),
  ]
  return {
    cron: fields.join(' '),
    only,
    lastMinute: (hours?.at(-1) ?? 23) * 60 + (minutes?.at(-1) ?? 59),
    lost,
  }
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

function spansOf(values: readonly number[]): [number, number][] {
  const spans: [number, number][] = []
  for (const value of values) {
    const span = spans.at(-1)
    if (span !== undefined && span[1] === value - 1) span[1] = value
    else spans.push([value, value])
  }
  return spans
}
