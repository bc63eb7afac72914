import { type Load, loadOf } from '../forecast/forecast.ts'
import type { Job } from '../schedule/schedule.ts'
import { chooseStarts } from './choose.ts'
import { addStarts, bucketsOf, type Span, type Starts, startsOf } from './starts.ts'

/** A job whose salt may be chosen. */
export interface Balanceable {
  readonly job: Job
  /** The salt as it is written now, specifiers included; empty if there is none. */
  readonly written: string
  /** The salt that candidates are made of: `written` without the mark of an earlier balance. */
  readonly base: string
}

/** The salts that a written salt gives: one for each host, in their order. */
export type Expand = (written: string) => readonly string[]

export interface Balance {
  readonly span: Span
  readonly before: Uint32Array
  readonly after: Uint32Array
  /** The load of jobs without a window, which no salt moves. */
  readonly fixed: Uint32Array
  /** The salt of each job, as it is to be written; the present one where it need not change. */
  readonly salts: readonly string[]
  /** How many salts were tried for each job. */
  readonly candidates: number
}

/** Work is bounded by counts, not by time, so that every machine comes to the same result. */
const MOST_DECISIONS = 20_000_000
const MOST_STARTS = 12_000_000
const MOST_CANDIDATES = 128
const FEWEST_CANDIDATES = 4

const MARK = /~\d{1,4}$/
/** A salt without the mark that an earlier balance gave it. */
export const baseOf = (salt: string): string => salt.replace(MARK, '')
const candidateOf = (base: string, index: number): string => (index === 0 ? base : `${base}~${index}`)

/**
 * Chooses salts with which the fullest bucket of the span is least. Never changes windows or schedules. Gives the
 * present salts back unless others lower the peak, so balancing twice changes nothing the second time.
 */
export function balance(
  jobs: readonly Balanceable[],
  expand: Expand,
  span: Span,
  progress: (done: number, total: number) => void = () => {},
): Balance {
  const fixed = new Uint32Array(bucketsOf(span))
  const present = jobs.map(({ job, written }) => startsOf(job, expand(written), span))
  const movable = jobs.flatMap(({ job }, i) => (hasFreedom(job) ? [i] : []))
  for (const [i, starts] of present.entries()) if (!hasFreedom(jobs[i]!.job)) addStarts(fixed, starts)
  const before = loadWith(
    fixed,
    movable.map(i => present[i]!),
  )
  const candidates = candidatesFor(movable.map(i => present[i]!))
  const tried = movable.map((index, n) => {
    progress(n, movable.length)
    const { job, base } = jobs[index]!
    return Array.from({ length: candidates }, (_, k) => startsOf(job, expand(candidateOf(base, k)), span))
  })
  const chosen = chooseStarts(fixed, tried)
  const after = loadWith(
    fixed,
    chosen.map((k, n) => tried[n]![k]!),
  )
  const salts = jobs.map(({ written }) => written)
  if (loadOf(after).peak >= loadOf(before).peak)
    return { span, before, after: before, fixed, salts, candidates }
  for (const [n, index] of movable.entries()) salts[index] = candidateOf(jobs[index]!.base, chosen[n]!)
  return { span, before, after, fixed, salts, candidates }
}

const hasFreedom = ({ schedule }: Job): boolean => schedule.window.duration > 0 && !schedule.policy.suspend

function candidatesFor(present: readonly Starts[]): number {
  let decisions = 0
  let starts = 0
  for (const { counts } of present) {
    starts += counts.length
    for (const count of counts) decisions += count
  }
  const most = Math.min(MOST_DECISIONS / Math.max(1, decisions), MOST_STARTS / Math.max(1, starts))
  return Math.max(FEWEST_CANDIDATES, Math.min(MOST_CANDIDATES, Math.floor(most)))
}

function loadWith(fixed: Uint32Array, starts: readonly Starts[]): Uint32Array {
  const load = Uint32Array.from(fixed)
  for (const each of starts) addStarts(load, each)
  return load
}

/**
 * The peak that no choice of salts with as many starts can beat: the mean, rounded up, and the peak of the jobs that cannot
 * move. A choice can have fewer starts: one may fall out of the span, or a period become unschedulable.
 */
export function leastPeak({ before, fixed }: Balance): number {
  const { mean } = loadOf(before)
  const { peak }: Load = loadOf(fixed)
  return Math.max(Math.ceil(mean), peak)
}
