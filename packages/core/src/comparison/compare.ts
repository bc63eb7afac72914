import { next } from '../cron/search.ts'
import { decide } from '../decision/decision.ts'
import type { Job } from '../schedule/schedule.ts'
import { LATEST } from '../time/instant.ts'
import { WallClock } from './wall-clock.ts'

/** A start that only one of the two makes. Instants in epoch seconds. */
export interface StartDifference {
  readonly at: number
  readonly by: 'kron' | 'original'
  readonly because: 'the clock is set forward' | 'the clock is set back' | 'the rules differ'
}

export interface Equivalence {
  /** How many starts were looked at one after the other. */
  readonly compared: number
  readonly until: number
  /** In the order of time; besides the compared ones also those around the clock changes of a year. */
  readonly differences: readonly StartDifference[]
}

export const COMPARED = 50
const YEAR = 366 * 86_400
/** A leap day comes again after eight years at most; this is long enough for several. */
const HORIZON = 30 * YEAR
const AROUND = 86_400

/** The schedule of another scheduler, read by its own rules. */
export interface OtherSchedule {
  /** The IANA name of the zone it is read in. */
  readonly zone: string
  /** Its starts after one instant and up to another, in epoch seconds. */
  starts(after: number, until: number): Iterable<number>
}

/** Compares what the engine starts, window apart, with what the original would. */
export function compareStarts(job: Job, original: OtherSchedule, from: number): Equivalence {
  const until = Math.min(LATEST, from + HORIZON)
  const theirs = take(original.starts(from, until), COMPARED)
  const ours = take(nominalStarts(job, from, until), COMPARED)
  const full = theirs.length === COMPARED && ours.length === COMPARED
  const end = full ? Math.min(theirs.at(-1)!, ours.at(-1)!) : until
  const clock = WallClock.of(original.zone)
  const differences = differing(
    ours.filter(at => at <= end),
    theirs.filter(at => at <= end),
    clock,
  )
  for (const change of clockChanges(original.zone, from, from + YEAR)) {
    const after = Math.max(end, change - AROUND)
    if (change + AROUND <= end) continue
    const ourStarts = take(nominalStarts(job, after, change + AROUND))
    const theirStarts = take(original.starts(after, change + AROUND))
    differences.push(...differing(ourStarts, theirStarts, clock))
  }
  return { compared: Math.min(ours.length, theirs.length), until: end, differences }
}

/** Nominal times of the periods that run: the window moves them, as the original's random delay would. */
export function* nominalStarts(job: Job, after: number, until: number): Generator<number, void, void> {
  const { cron, zone } = job.schedule
  let nominal = next(cron, zone, after)
  while (nominal !== undefined && nominal <= until) {
    if (decide(job, nominal).chosen !== null) yield nominal
    nominal = next(cron, zone, nominal)
  }
}

function take(starts: Iterable<number>, most = Number.POSITIVE_INFINITY): number[] {
  const taken: number[] = []
  for (const at of starts) {
    taken.push(at)
    if (taken.length >= most) break
  }
  return taken
}

function differing(ours: readonly number[], theirs: readonly number[], clock: WallClock): StartDifference[] {
  const differences: StartDifference[] = []
  let [i, j] = [0, 0]
  while (i < ours.length || j < theirs.length) {
    const [our = Number.POSITIVE_INFINITY, their = Number.POSITIVE_INFINITY] = [ours[i], theirs[j]]
    if (our === their) {
      i++
      j++
    } else if (our < their) differences.push({ at: ours[i++]!, by: 'kron', because: reasonAt(clock, our) })
    else differences.push({ at: theirs[j++]!, by: 'original', because: reasonAt(clock, their) })
  }
  return differences
}

const NEAR = 180

function reasonAt(clock: WallClock, at: number): StartDifference['because'] {
  const minute = Math.floor(at / 60)
  const change = clock.offsetAt(minute + NEAR) - clock.offsetAt(minute - NEAR)
  if (change === 0) return 'the rules differ'
  return change > 0 ? 'the clock is set forward' : 'the clock is set back'
}

const known = new Map<string, number[]>()

/** The instants in a span at which the zone's offset changes, to the quarter of an hour. */
function clockChanges(zone: string, from: number, to: number): number[] {
  const key = `${zone} ${from}`
  const before = known.get(key)
  if (before !== undefined) return before
  const clock = WallClock.of(zone)
  const changes: number[] = []
  for (let hour = Math.floor(from / 3_600); hour * 3_600 < to; hour += 6) {
    if (clock.offsetAt(hour * 60) === clock.offsetAt((hour + 6) * 60)) continue
    let quarter = hour * 4
    while (clock.offsetAt(quarter * 15) === clock.offsetAt(hour * 60)) quarter++
    changes.push(quarter * 900)
  }
  known.set(key, changes)
  return changes
}
