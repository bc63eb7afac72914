import { next } from './cron/search.ts'
import { lastStart } from './policy.ts'
import type { Schedule } from './schedule/schedule.ts'
import { endOffset } from './window.ts'

/** Which periods of a job have been handled: all up to a watermark, and some above it while windows overlap. */
export interface Handled {
  /** Every period with nominal ≤ this is handled. */
  readonly through: number
  /** Handled nominal times above the watermark, ascending. */
  readonly above: readonly number[]
  /** The job is not responsible for periods that asked for attention before it was first seen. */
  readonly firstSeen: number
}

/** The state of a job at the moment it is first seen: what was over by then is not its concern. */
export const firstHandled = (schedule: Schedule, firstSeen: number): Handled => ({
  through: firstSeen - endOffset(schedule.window) - 1,
  above: [],
  firstSeen,
})

export const isHandled = (handled: Handled, nominal: number): boolean =>
  nominal <= handled.through || handled.above.includes(nominal)

/** The latest instant such that no period at or before it can still start at `now`. */
export const closedThrough = (schedule: Schedule, now: number): number =>
  now - (lastStart(schedule.policy, endOffset(schedule.window)) + 1)

/**
 * The same with more periods handled. `closed` is an instant up to which nothing is owed any more, so that
 * periods nobody recorded (a year of downtime) cannot hold the watermark back.
 */
export function markHandled(
  handled: Handled,
  nominals: readonly number[],
  schedule: Schedule,
  closed: number = handled.through,
): Handled {
  let through = Math.max(handled.through, closed)
  const above = [...new Set([...handled.above, ...nominals])].sort((a, b) => a - b)
  let first = 0
  for (;;) {
    while (first < above.length && above[first]! <= through) first++
    if (first === above.length) break
    if (next(schedule.cron, schedule.zone, through) !== above[first]) break
    through = above[first]!
  }
  return { through, above: above.slice(first), firstSeen: handled.firstSeen }
}
