import { next, prev } from '../cron/search.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { endOffset } from '../schedule/window.ts'
import { lastStart } from './policy.ts'
import { addSwept, type NominalRange, type SweptPeriods, sweptBefore } from './swept.ts'

/** Which periods of a job have been handled: all up to a watermark, and some above it while windows overlap. */
export interface Handled extends SweptPeriods {
  /** Every period with nominal ≤ this is handled. */
  readonly through: number
  /** Handled nominal times above the watermark, ascending. */
  readonly above: readonly number[]
  /** Ranges above the watermark in which every period is handled, ascending: only after a clock that was ahead. */
  readonly ranges?: readonly NominalRange[]
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
  nominal <= handled.through || handled.above.includes(nominal) || rangeOf(handled, nominal) !== undefined

/** The range above the watermark that holds a period. */
const rangeOf = ({ ranges }: Handled, nominal: number): NominalRange | undefined =>
  ranges?.find(({ after, through }) => nominal > after && nominal <= through)

/** The first period after an instant that is not handled. */
export function nextUnhandled(handled: Handled, { cron, zone }: Schedule, after: number): number | undefined {
  let nominal = next(cron, zone, Math.max(handled.through, after))
  while (nominal !== undefined && isHandled(handled, nominal))
    nominal = next(cron, zone, rangeOf(handled, nominal)?.through ?? nominal)
  return nominal
}

/** The last period up to an instant that is not handled. */
export function lastUnhandled(handled: Handled, { cron, zone }: Schedule, upTo: number): number | undefined {
  if (upTo <= handled.through) return undefined
  let nominal = prev(cron, zone, upTo)
  while (nominal !== undefined && nominal > handled.through && isHandled(handled, nominal))
    nominal = prev(cron, zone, rangeOf(handled, nominal)?.after ?? nominal - 1)
  return nominal === undefined || nominal <= handled.through ? undefined : nominal
}

/** The latest instant such that no period at or before it can still start at `now`. */
export const closedThrough = (schedule: Schedule, now: number): number =>
  now - (lastStart(schedule.policy, endOffset(schedule.window)) + 1)

/**
 * Returns `handled` with `nominals` added. It also marks every period up to `closed` as handled, even without an
 * outcome: otherwise the watermark could not pass a long downtime. Such periods, and those in `unnamed`, are kept in
 * `swept`, so that they can be reopened.
 */
export function markHandled(
  handled: Handled,
  nominals: readonly number[],
  schedule: Schedule,
  closed: number = handled.through,
  unnamed: readonly number[] = [],
): Handled {
  const recorded = [...new Set([...handled.above, ...nominals])].sort((a, b) => a - b)
  const base = sweptBefore(handled, schedule, nominals)
  const before = advanced({ ...handled, ...base, above: recorded }, schedule)
  const swept =
    closed > before.through || unnamed.length > 0 ? addSwept(before, schedule, closed, unnamed) : {}
  const above = [...new Set([...before.above, ...unnamed])].sort((a, b) => a - b)
  return advanced({ ...before, through: Math.max(before.through, closed), above, ...swept }, schedule)
}

/** The watermark moved over everything that is handled and follows it without a gap. */
function advanced(handled: Handled, { cron, zone }: Schedule): Handled {
  let { through } = handled
  let above = handled.above.filter(each => each > through)
  let ranges = handled.ranges ?? []
  while (above.length > 0 || ranges.length > 0) {
    ranges = ranges.filter(each => each.through > through)
    const following = next(cron, zone, through)
    if (following === undefined) break
    const range = rangeOf({ ...handled, ranges }, following)
    if (range === undefined && above[0] !== following) break
    through = range?.through ?? following
    above = above.filter(each => each > through)
  }
  const { ranges: _, ...rest } = handled
  return { ...rest, through, above, ...(ranges.length > 0 && { ranges }) }
}
