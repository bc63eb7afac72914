import { type Cron, matchesDay, matchesTime, minutesPerDay } from '../cron/cron.ts'
import { civilFromDays, daysFromCivil, weekdayOfDays } from '../time/civil.ts'
import { MINUTE } from '../time/duration.ts'
import type { Argument, Faults } from './argument.ts'
import type { Schedule } from './schedule.ts'

/** More periods than this within window + deadline of each other would make the handled set too large. */
export const MOST_OPEN_PERIODS = 10_000

const DAY = 1440

/** Reports a schedule that can have more than `most` open periods at once. */
export function checkOpenPeriods(
  schedule: Schedule,
  where: Argument,
  faults: Faults,
  most = MOST_OPEN_PERIODS,
): void {
  const span = spanOf(schedule)
  const atMost = Math.min(span + 1, minutesPerDay(schedule.cron) * (Math.floor(span / DAY) + 2))
  if (atMost <= most) return
  const open = openPeriods(schedule)
  if (open <= most) return
  const message = `up to ${open} periods would be open at once, more than ${most}`
  faults.meaning(where, message, 'shorten the window or the deadline, or run less often')
}

/** The most periods of a schedule that lie within window + deadline of each other, by the local calendar. */
export function openPeriods(schedule: Schedule): number {
  const { cron } = schedule
  const span = spanOf(schedule)
  const wholeDays = Math.floor(span / DAY)
  const edges = busiestEdges(cron, span % DAY)
  const before = matchingDaysBefore(cron)
  const matches = (day: number): boolean => before[day + 1]! > before[day]!
  let most = 0
  for (let day = 0; day + wholeDays + 2 < before.length; day++) {
    if (!matches(day)) continue
    const end = day + wholeDays
    const fullDays = before[end]! - before[day]!
    most = Math.max(most, fullDays * minutesPerDay(cron) + edges(matches(end), matches(end + 1)))
  }
  return most
}

const spanOf = ({ window, policy }: Schedule): number =>
  Math.floor((window.duration + policy.deadline) / MINUTE)

/** For every day of 29 years, how many before it match: weekdays and leap years repeat after 28. */
function matchingDaysBefore(cron: Cron): Int32Array {
  const first = daysFromCivil(2000, 1, 1)
  const counts = new Int32Array(daysFromCivil(2029, 1, 1) - first + 1)
  for (let i = 1; i < counts.length; i++) {
    const days = first + i - 1
    const { month, day } = civilFromDays(days)
    counts[i] = counts[i - 1]! + (matchesDay(cron, month, day, weekdayOfDays(days)) ? 1 : 0)
  }
  return counts
}

/**
 * A span of whole days and `rest` minutes may begin at any minute of a day. For each minute, this takes the periods that
 * the span gains at its end and subtracts those that it loses on its first day, before the minute. The answer is the
 * largest of these results. It depends on whether the two last days match, because `rest` may reach over midnight.
 *
 * Example: `0,30 8-9 * * *` and 25 h, so `rest` is 60. A span from 08:00 has no period before its first minute, and adds
 * 08:00, 08:30 and 09:00 of the day after: 3. A span from 08:10 adds the same three minus 08:00 of its first day: 2. So
 * the answer is 3, if the day after matches.
 */
function busiestEdges(cron: Cron, rest: number): (last: boolean, after: boolean) => number {
  const upTo = new Int32Array(DAY + 1)
  for (let minute = 0; minute < DAY; minute++) {
    upTo[minute + 1] = upTo[minute]! + (matchesTime(cron, Math.floor(minute / 60), minute % 60) ? 1 : 0)
  }
  const most = [0, 0, 0, 0]
  for (let start = 0; start < DAY; start++) {
    const lost = upTo[start]!
    const onLast = upTo[Math.min(DAY, start + rest + 1)]!
    const onAfter = upTo[Math.max(0, start + rest + 1 - DAY)]!
    for (let which = 0; which < 4; which++) {
      const held = (which & 1 ? onLast : 0) + (which & 2 ? onAfter : 0)
      most[which] = Math.max(most[which]!, held - lost)
    }
  }
  return (last, after) => most[(last ? 1 : 0) | (after ? 2 : 0)]!
}
