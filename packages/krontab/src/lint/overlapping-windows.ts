import {
  endOffset,
  minutesPerDay,
  next,
  openPeriods,
  printDuration,
  SECOND,
  startOffset,
  UTC,
} from '@kron/core'
import type { ScheduleRule } from './finding.ts'

const DAY = 86_400
const MOST_LOOKS = 1_500

/** Windows that extend beyond the next period, so that runs may change their order. */
export const overlappingWindows: ScheduleRule = (schedule, at) => {
  const { cron, window } = schedule
  const length = endOffset(window) - startOffset(window)
  const aDay = minutesPerDay(cron)
  if (length <= 60 || (aDay === 1 && length <= DAY)) return undefined
  // In UTC, because the one night in which clocks go back does not deserve a warning.
  let nominal = next(cron, UTC, at)
  let shortest = Number.POSITIVE_INFINITY
  // One day contains every gap of schedules that run several times a day; rarer schedules need more days.
  const until = at + (aDay > 1 ? 2 : 400) * DAY
  for (let looks = 0; nominal !== undefined && nominal < until && looks < MOST_LOOKS; looks++) {
    const following = next(cron, UTC, nominal)
    if (following === undefined) break
    shortest = Math.min(shortest, following - nominal)
    nominal = following
  }
  if (length <= shortest) return undefined
  const longest = printDuration(length * SECOND)
  return {
    part: 'win',
    message:
      `the window of ${longest} is longer than the ${printDuration(shortest * SECOND)} to the next period: ` +
      `up to ${openPeriods(schedule)} periods are open at once and may run in another order`,
    hint: `shorten it to at most ${printDuration(shortest * SECOND)}`,
  }
}
