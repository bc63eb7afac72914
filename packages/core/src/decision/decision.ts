import { allows, printConstraints } from '../constraint/constraints.ts'
import { calendarDigests } from '../constraint/named-calendar.ts'
import { type Frame, type Shape, shapeOf } from '../distribution/distribution.ts'
import { parametersOf } from '../distribution/parameters.ts'
import { fallbackOf, type Weights, type WeightsFallback } from '../distribution/weights.ts'
import { SchedulingError } from '../error/error.ts'
import type { Job, Schedule } from '../schedule/schedule.ts'
import { endOffset, startOffset } from '../schedule/window.ts'
import { periodKey, seedGenerator, seedMaterial } from '../seed/seed.ts'
import { type Hash, sha256 } from '../seed/sha256.ts'
import { nextUnit } from '../seed/splitmix64.ts'
import { EARLIEST, LAST_PRINTABLE, printInstant } from '../time/instant.ts'

export const MAX_ATTEMPTS = 64
export const UNSCHEDULABLE_REASON = 'no candidate accepted within MaxAttempts'

/** When one period of a job runs, and all that made it so. Instants are epoch seconds. */
export class Decision {
  readonly job: Job
  readonly nominal: number
  readonly windowStart: number
  readonly windowEnd: number
  /** null: unschedulable. */
  readonly chosen: number | null
  readonly attemptCount: number

  constructor(
    job: Job,
    nominal: number,
    windowStart: number,
    windowEnd: number,
    chosen: number | null,
    attemptCount: number,
  ) {
    this.job = job
    this.nominal = nominal
    this.windowStart = windowStart
    this.windowEnd = windowEnd
    this.chosen = chosen
    this.attemptCount = attemptCount
  }

  // The texts are written when they are asked for: few of the decisions that are made are recorded.

  get periodKey(): string {
    const { seed, zone } = this.job.schedule
    return periodKey(seed.strategy, zone, this.nominal)
  }

  get seedHash(): string {
    return sha256(seedMaterial(this.job.identity, this.periodKey, this.job.schedule.seed.salt))
  }
}

/** The instant at which a period first asks for attention. */
export const triggerOf = (decision: Decision): number => decision.chosen ?? decision.windowStart

/** Pure: the same job and nominal time give the same second on every machine, for ever. */
export function decide(job: Job, nominal: number, hash?: Hash): Decision {
  const { identity, schedule } = job
  const { window, seed, zone, constraints } = schedule
  if (!isWithinTime(nominal))
    throw new SchedulingError(outsideTime(nominal), { component: 'core', operation: 'decide', identity })
  const windowStart = nominal + startOffset(window)
  const windowEnd = nominal + endOffset(window)
  const seconds = windowEnd - windowStart
  let chosen: number | null = null
  let attemptCount = 0
  if (seconds === 0) chosen = allows(constraints, zone, windowStart) ? windowStart : null
  else {
    const shape = shapeOf(schedule.distribution, frameOf(schedule, nominal, windowStart, seconds))
    const generator = seedGenerator(identity, seed, zone, nominal, hash)
    while (chosen === null && attemptCount < MAX_ATTEMPTS) {
      attemptCount++
      const candidate = windowStart + offsetOf(placeOf(shape, nextUnit(generator)), seconds)
      if (allows(constraints, zone, candidate)) chosen = candidate
    }
  }
  return new Decision(job, nominal, windowStart, windowEnd, chosen, attemptCount)
}

/** Whether a period may have this nominal time. */
export const isWithinTime = (nominal: number): boolean => nominal >= EARLIEST && nominal <= LAST_PRINTABLE

export const outsideTime = (nominal: number): string =>
  `the nominal time ${nominal} is not an instant from 1970 to 9999`

export const frameOf = (
  schedule: Schedule,
  nominal: number,
  windowStart: number,
  seconds: number,
): Frame => ({
  seconds,
  nominal: (nominal - windowStart) / seconds,
  around: schedule.window.mode === 'around',
  start: windowStart,
  zone: schedule.zone,
})

const BELOW_ONE = 1 - Number.EPSILON / 2

/** Where a `u` falls, clamped to [0, 1): the tails may round onto the ends or beyond. */
export const placeOf = (shape: Shape, u: number): number =>
  Math.max(0, Math.min(shape.quantile(u), BELOW_ONE))

/** The second of the window at `x`. */
export const offsetOf = (x: number, seconds: number): number => Math.min(seconds, (x * (seconds + 1)) | 0)

/** A decision as it is written in JSON: SPEC.md's outputs, enough to recompute it. */
export interface DecisionRecord {
  readonly identity: string
  readonly periodId: string
  readonly nominalTime: string
  readonly windowStart: string
  readonly windowEnd: string
  readonly chosenTime: string | null
  readonly timezone: string
  readonly mode: string
  readonly distribution: string
  readonly params: Readonly<Record<string, string | number>>
  readonly seedStrategy: string
  readonly salt: string
  readonly periodKey: string
  readonly seedHash: string
  readonly constraints: string
  readonly attemptCount: number
  readonly maxAttempts: number
  readonly unschedulable: boolean
  readonly reason: string
  /** SHA-256 of each calendar in the constraints, by its name; absent if there is none. */
  readonly calendars?: Readonly<Record<string, string>>
  /** SHA-256 of the weights file; absent if the distribution has none, or if the file is missing. */
  readonly weightsDigest?: string
  /** Why the window was spread evenly in spite of its weights; absent if it follows them. */
  readonly weightsFallback?: WeightsFallback
  /** The zone data that was used, such as `tzdata 2026c`; absent for UTC and in older records. */
  readonly zoneData?: string
}

export function recordOf(decision: Decision): DecisionRecord {
  const { job, nominal, chosen } = decision
  const { zone, window, distribution, seed, constraints } = job.schedule
  const nominalTime = printInstant(nominal)
  const calendars = calendarDigests(job.schedule)
  return {
    identity: job.identity,
    periodId: nominalTime,
    nominalTime,
    windowStart: printInstant(decision.windowStart),
    windowEnd: printInstant(decision.windowEnd),
    chosenTime: chosen === null ? null : printInstant(chosen),
    timezone: zone.name,
    mode: window.mode,
    distribution: distribution.name,
    params: parametersOf(distribution, window.mode === 'around'),
    seedStrategy: seed.strategy,
    salt: seed.salt,
    periodKey: decision.periodKey,
    seedHash: decision.seedHash,
    constraints: printConstraints(constraints),
    attemptCount: decision.attemptCount,
    maxAttempts: MAX_ATTEMPTS,
    unschedulable: chosen === null,
    reason: chosen === null ? UNSCHEDULABLE_REASON : '',
    ...(calendars === undefined ? {} : { calendars }),
    ...(distribution.name === 'weights' ? curveRecord(decision, distribution) : {}),
    ...(zone.source === '' ? {} : { zoneData: zone.source }),
  }
}

/** The version of the curve that the decision was made with, and whether it was used. */
function curveRecord(
  decision: Decision,
  weights: Weights,
): Pick<DecisionRecord, 'weightsDigest' | 'weightsFallback'> {
  const digest = weights.curve?.digest ?? ''
  const fallback = fallbackOfDecision(decision)
  return {
    ...(digest === '' ? {} : { weightsDigest: digest }),
    ...(fallback === undefined ? {} : { weightsFallback: fallback }),
  }
}

/** Why a decision spread its window evenly in spite of its weights; undefined if it has none or followed them. */
export function fallbackOfDecision(decision: Decision): WeightsFallback | undefined {
  const { job, nominal, windowStart, windowEnd } = decision
  const { distribution } = job.schedule
  if (distribution.name !== 'weights' || windowStart === windowEnd) return undefined
  return fallbackOf(distribution, frameOf(job.schedule, nominal, windowStart, windowEnd - windowStart))
}
