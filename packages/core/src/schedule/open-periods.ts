import { civilFromDays, daysFromCivil, weekdayOfDays } from '../civil.ts'
import { type Cron, matchesDay, minutesPerDay } from '../cron/cron.ts'
import { SECOND } from '../duration.ts'
import type { Argument, Faults } from './argument.ts'
import type { Schedule } from './schedule.ts'

/** More periods than this within window + deadline of each other would make the handled set too large. */
export const MOST_OPEN_PERIODS = 10_000

const DAY = 86_400

/** How many periods of a schedule can be open at once: the most that fall within window + deadline. */
export function openPeriods({ cron, window, policy }: Schedule): number {
  const span = Math.floor((window.duration + policy.deadline) / SECOND)
  const aDay = minutesPerDay(cron)
  const quick = Math.min(Math.floor(span / 60) + 1, aDay * (Math.floor(span / DAY) + 2))
  return quick <= 1_000 ? quick : Math.min(quick, aDay * busiestDays(cron, Math.floor(span / DAY) + 1))
}

/** The most matching days in any `length` successive ones; weekdays and leap years repeat after 28 years. */
function busiestDays(cron: Cron, length: number): number {
  const first = daysFromCivil(2000, 1, 1)
  const last = daysFromCivil(2028, 12, 31)
  const matching: number[] = []
  let most = 0
  let from = 0
  for (let day = first; day <= last; day++) {
    const { month, day: dayOfMonth } = civilFromDays(day)
    if (!matchesDay(cron, month, dayOfMonth, weekdayOfDays(day))) continue
    matching.push(day)
    while (matching[from]! < day - length) from++
    most = Math.max(most, matching.length - from)
  }
  return most
}

export function checkOpenPeriods(
  schedule: Schedule,
  where: Argument,
  faults: Faults,
  most = MOST_OPEN_PERIODS,
): void {
  const open = openPeriods(schedule)
  if (open <= most) return
  const message = `up to ${open} periods would be open at once, more than ${most}`
  faults.meaning(where, message, 'shorten the window or the deadline, or run less often')
}
