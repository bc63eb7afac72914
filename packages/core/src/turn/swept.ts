import { next } from '../cron/search.ts'
import type { Schedule } from '../schedule/schedule.ts'
import { endOffset } from '../schedule/window.ts'
import type { Handled } from './handled.ts'

/*
 * A clock that is set back by an hour. The job has a period every ten minutes with `@win(after,30m)`, and `firstSeen` is
 * 09:30. The clock was an hour ahead when it showed 11:05. R: recorded with an outcome. s: swept, so handled without an
 * outcome. o: open, not handled.
 *
 *                      09:00 09:10 09:20 09:30 09:40 09:50 10:00 10:10 10:20 10:30 10:40 10:50 11:00
 *  by 11:05 (wrong)      s     s     s     R     R     R     s     s     s     R     o     R     o
 *  through                                                                       |
 *  swept                (---------------]                   (---------------]
 *  above                                                                                   ^
 *
 *  set back to 10:05     s     s     s     R     R     R     o     o     o     R     o     R     o
 *  through                                                |
 *  swept                (---------------]
 *  ranges, above                                                              (-]          ^
 *
 * 10:10 and 10:20 are open again because they are after 10:05. 10:00 is open again if its chosen second is after 10:05. So
 * the watermark goes back before 10:00. 10:30 was recorded: above the watermark, a range keeps it handled. 09:00 to 09:20
 * were chosen before `firstSeen` and stay swept. (`ranges` and `swept` also get 10:00:01 to 10:05:00, without a period.)
 */

/** The nominal times above `after`, up to and with `through`. */
export interface NominalRange {
  readonly after: number
  readonly through: number
}

/** The periods that the watermark passed without an outcome of their own. */
export interface SweptPeriods {
  /** Ascending and apart; none holds a period that was recorded. */
  readonly swept?: readonly NominalRange[]
}

/**
 * The most swept ranges that are kept. Beyond that the oldest are dropped, except the one from the beginning. Their
 * periods stay handled, and a clock that was ahead no longer reopens them.
 */
export const MOST_SWEPT = 100

/** The range with this `after` holds the periods that were over when the job was first seen. */
const BEGINNING = 0

/** Whether a swept range holds the periods that were over when the job was first seen. */
export const isBeforeFirstSight = ({ after }: NominalRange): boolean => after === BEGINNING

const beginsAtFirst = (swept: readonly NominalRange[] = []): boolean =>
  swept[0] !== undefined && isBeforeFirstSight(swept[0])

/** The newest ranges, and the one from the beginning. */
const newest = (swept: readonly NominalRange[]): readonly NominalRange[] =>
  beginsAtFirst(swept) ? [swept[0]!, ...swept.slice(1).slice(1 - MOST_SWEPT)] : swept.slice(-MOST_SWEPT)

/**
 * The last nominal time whose window was over at `firstSeen`, computed with the present window; at most the beginning of
 * the first swept range.
 */
const overAtFirst = ({ firstSeen, swept }: Handled, { window }: Schedule): number =>
  Math.min(firstSeen - endOffset(window) - 1, swept?.[0]?.after ?? Number.POSITIVE_INFINITY)

/**
 * The swept ranges once these periods are recorded. The periods that were over when the job was first seen are usually
 * not stored: they are computed from the window. But if an edit shortens the window, the computed range becomes longer
 * and could cover a recorded period. So the range is stored when a period before `firstSeen` gets an outcome. It ends
 * before that period, and at the watermark at the latest, so it contains handled periods only.
 */
export function sweptBefore(handled: Handled, schedule: Schedule, recorded: readonly number[]): SweptPeriods {
  const earliest = Math.min(...recorded)
  const { firstSeen, swept = [] } = handled
  if (earliest >= firstSeen || (beginsAtFirst(swept) && swept[0]!.through < earliest)) return {}
  const isExplicit = beginsAtFirst(swept)
  const end = isExplicit ? swept[0]!.through : overAtFirst(handled, schedule)
  const first = { after: BEGINNING, through: Math.min(end, earliest - 1, handled.through) }
  return { swept: newest([first, ...swept.slice(isExplicit ? 1 : 0)]) }
}

/** The swept ranges once the watermark is at `closed` and `unnamed` have passed. */
export function addSwept(
  handled: Handled,
  { cron, zone }: Schedule,
  closed: number,
  unnamed: readonly number[],
): SweptPeriods {
  const added: NominalRange[] = []
  /** Notes the range if there is a period in it. */
  const add = (after: number, through: number): void => {
    const first = next(cron, zone, after)
    if (first !== undefined && first <= through) added.push({ after: first - 1, through })
  }
  const known = [
    ...handled.above.map(each => ({ after: each - 1, through: each })),
    ...(handled.ranges ?? []),
  ].sort((a, b) => a.after - b.after)
  let after = handled.through
  for (const each of known) {
    if (each.after >= closed) break
    if (each.after > after) add(after, each.after)
    after = Math.max(after, each.through)
  }
  if (after < closed) add(after, closed)
  for (const nominal of unnamed) if (nominal > closed) added.push({ after: nominal - 1, through: nominal })
  if (added.length === 0) return {}
  const all = [...(handled.swept ?? []), ...added].sort((a, b) => a.after - b.after)
  return { swept: newest(all) }
}

/**
 * For a clock that turns out to have been ahead: swept periods after `now` become unhandled again. A swept range that
 * reaches past `now` also gives back its earlier periods whose chosen second is still to come. Nothing else changes;
 * returns `handled` itself if nothing does. If `firstSeen` is in the future, it becomes `now`.
 */
export function reopenSwept(
  handled: Handled,
  schedule: Schedule,
  now: number,
  chosenOf: (nominal: number) => number | null,
): Handled {
  const early = handled.firstSeen > now
  const base = { after: now, through: overAtFirst(handled, schedule) }
  // Unless the job was first seen in the future, `base` is empty and takes part in nothing.
  const swept = [base, ...(handled.swept ?? [])]
  const ahead = swept.filter(({ through }) => through > now)
  const firstSeen = Math.min(handled.firstSeen, now)
  if (ahead.length === 0) return early ? { ...handled, firstSeen } : handled
  const waiting = ahead.flatMap(range => waitingIn(range, schedule, now, chosenOf)).slice(-MOST_SWEPT)
  const open = [
    ...waiting.map(nominal => ({ after: nominal - 1, through: nominal })),
    ...ahead.map(({ after, through }) => ({ after: Math.max(after, now), through })),
  ]
  const through = Math.min(handled.through, open[0]!.after)
  const left = newest(
    swept.flatMap(({ after, through }) => without(waiting, { after, through: Math.min(through, now) })),
  )
  const isOpen = (nominal: number): boolean =>
    open.some(range => nominal > range.after && nominal <= range.through)
  const ranges = [...between(open, handled.through), ...(handled.ranges ?? [])]
  const { swept: _, ranges: __, ...rest } = handled
  return {
    ...rest,
    through,
    above: handled.above.filter(each => !isOpen(each)),
    firstSeen,
    ...(ranges.length > 0 && { ranges }),
    ...(left.length > 0 && { swept: left }),
  }
}

/** The periods of a range that began by `now`, and whose chosen seconds are yet to come. */
function waitingIn(
  { after }: NominalRange,
  { cron, zone, window }: Schedule,
  now: number,
  chosenOf: (nominal: number) => number | null,
): number[] {
  const waiting: number[] = []
  let nominal = next(cron, zone, Math.max(after, now - endOffset(window)))
  while (nominal !== undefined && nominal <= now) {
    const chosen = chosenOf(nominal)
    if (chosen !== null && chosen > now) waiting.push(nominal)
    nominal = next(cron, zone, nominal)
  }
  return waiting
}

/** The parts of a range around these periods. */
function without(nominals: readonly number[], { after, through }: NominalRange): NominalRange[] {
  const inside = nominals.filter(each => each > after && each <= through)
  const ends = [...inside.map(each => each - 1), through]
  return [after, ...inside]
    .map((start, i) => ({ after: start, through: ends[i]! }))
    .filter(each => each.after < each.through)
}

/** The handled stretches after the first open range, up to the old watermark. */
function between(open: readonly NominalRange[], watermark: number): NominalRange[] {
  return open
    .map(({ through }, i) => ({
      after: through,
      through: Math.min(open[i + 1]?.after ?? watermark, watermark),
    }))
    .filter(({ after, through }) => after < through)
}
