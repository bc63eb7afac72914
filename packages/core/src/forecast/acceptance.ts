import { allows } from '../constraint/constraints.ts'
import { frameOf, MAX_ATTEMPTS } from '../decision/decision.ts'
import { shapeOf } from '../distribution/distribution.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { endOffset, startOffset } from '../schedule/window.ts'

/** The probability that one sample of the period at `nominal` is allowed: an exact count of its seconds. */
export function acceptance(schedule: Schedule, nominal: number): number {
  const { constraints, zone, distribution } = schedule
  const start = nominal + startOffset(schedule.window)
  const end = nominal + endOffset(schedule.window)
  if (start === end) return allows(constraints, zone, start) ? 1 : 0
  const seconds = end - start
  const shape = shapeOf(distribution, frameOf(schedule, nominal, start, seconds))
  const chanceBefore = (at: number): number => shape.cdf((at - start) / (seconds + 1))
  let sum = 0
  let open = false
  // Constraints speak of whole minutes, so a minute is allowed or refused as one.
  for (let at = start; at <= end; at += 60 - mod(at + zone.offsetAt(at), 60)) {
    if (allows(constraints, zone, at) === open) continue
    sum += open ? chanceBefore(at) : -chanceBefore(at)
    open = !open
  }
  return Math.min(1, Math.max(0, open ? sum + 1 : sum))
}

/** The probability that a period finds no allowed second at all. */
export function unschedulableChance(schedule: Schedule, nominal: number): number {
  const refused = 1 - acceptance(schedule, nominal)
  const single = startOffset(schedule.window) === endOffset(schedule.window)
  return single ? refused : refused ** MAX_ATTEMPTS
}

const mod = (n: number, by: number): number => ((n % by) + by) % by
