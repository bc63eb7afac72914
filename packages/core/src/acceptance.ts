import { allows } from './constraint/constraints.ts'
import { frameOf, MAX_ATTEMPTS } from './decision.ts'
import { shapeOf } from './distribution/distribution.ts'
import type { Schedule } from './schedule/schedule.ts'
import { endOffset, startOffset } from './window.ts'

/** The probability that one sample of the period at `nominal` is allowed: an exact count of its seconds. */
export function acceptance(schedule: Schedule, nominal: number): number {
  const start = nominal + startOffset(schedule.window)
  const end = nominal + endOffset(schedule.window)
  const { constraints, zone } = schedule
  if (start === end) return allows(constraints, zone, start) ? 1 : 0
  const seconds = end - start
  const shape = shapeOf(schedule.distribution, frameOf(schedule, nominal, start, seconds))
  let sum = 0
  let below = 0
  // Constraints speak of whole minutes, so a minute is allowed or refused as one.
  for (let at = start; at <= end; ) {
    const until = Math.min(end + 1, at + 60 - mod(at + zone.offsetAt(at), 60))
    const above = shape.cdf(Math.min(1, (until - start) / (seconds + 1)))
    if (allows(constraints, zone, at)) sum += above - below
    below = above
    at = until
  }
  return Math.min(1, Math.max(0, sum))
}

/** The probability that a period finds no allowed second at all. */
export const unschedulableChance = (schedule: Schedule, nominal: number): number =>
  schedule.window.duration === 0
    ? 1 - acceptance(schedule, nominal)
    : (1 - acceptance(schedule, nominal)) ** MAX_ATTEMPTS

const mod = (n: number, by: number): number => ((n % by) + by) % by
