import { type Cron, HALF, has, highest, lowest } from './cron.ts'

/** The time of day in minutes; no such time. */
export const NONE = -1

/** The least matching minute of the day from `minute` on. */
export function timeFrom(cron: Cron, minute: number): number {
  const hour = (minute / 60) | 0
  if (has(cron.hours, hour)) {
    const found = minuteFrom(cron, minute - hour * 60)
    if (found !== NONE) return hour * 60 + found
  }
  const later = cron.hours & (-2 << hour)
  return later === 0 ? NONE : lowest(later) * 60 + minuteFrom(cron, 0)
}

/** The greatest matching minute of the day up to `minute`. */
export function timeUpTo(cron: Cron, minute: number): number {
  const hour = (minute / 60) | 0
  if (has(cron.hours, hour)) {
    const found = minuteUpTo(cron, minute - hour * 60)
    if (found !== NONE) return hour * 60 + found
  }
  const earlier = cron.hours & ((1 << hour) - 1)
  return earlier === 0 ? NONE : highest(earlier) * 60 + minuteUpTo(cron, 59)
}

function minuteFrom(cron: Cron, minute: number): number {
  if (minute < HALF) {
    const low = cron.minutesLow & (-1 << minute)
    if (low !== 0) return lowest(low)
    return cron.minutesHigh === 0 ? NONE : HALF + lowest(cron.minutesHigh)
  }
  const high = cron.minutesHigh & (-1 << (minute - HALF))
  return high === 0 ? NONE : HALF + lowest(high)
}

function minuteUpTo(cron: Cron, minute: number): number {
  if (minute >= HALF) {
    const high = cron.minutesHigh & ((2 << (minute - HALF)) - 1)
    if (high !== 0) return HALF + highest(high)
    return cron.minutesLow === 0 ? NONE : highest(cron.minutesLow)
  }
  const low = cron.minutesLow & ((2 << minute) - 1)
  return low === 0 ? NONE : highest(low)
}
