import { allows, printConstraints } from './constraint/constraints.ts'
import { type Frame, type Shape, shapeOf } from './distribution/distribution.ts'
import { parametersOf } from './distribution/parameters.ts'
import { printInstant } from './instant.ts'
import type { Job, Schedule } from './schedule/schedule.ts'
import { periodKey, seedMaterial } from './seed/seed.ts'
import { type Hash, sha256 } from './seed/sha256.ts'
import { type Generator, generatorFrom, nextUnit } from './seed/splitmix64.ts'
import { endOffset, startOffset } from './window.ts'

export const MAX_ATTEMPTS = 64
export const UNSCHEDULABLE_REASON = 'no candidate accepted within MaxAttempts'

/** When one period of a job runs, and all that made it so. Instants are epoch seconds. */
export interface Decision {
  readonly job: Job
  readonly nominal: number
  readonly windowStart: number
  readonly windowEnd: number
  /** null: unschedulable. */
  readonly chosen: number | null
  readonly periodKey: string
  readonly seedHash: string
  readonly attemptCount: number
}

/** The instant at which a period first asks for attention. */
export const triggerOf = (decision: Decision): number => decision.chosen ?? decision.windowStart

/** Pure: the same job and nominal time give the same second on every machine, for ever. */
export function decide(job: Job, nominal: number, hash: Hash = sha256): Decision {
  const { schedule } = job
  const windowStart = nominal + startOffset(schedule.window)
  const windowEnd = nominal + endOffset(schedule.window)
  const key = periodKey(schedule.seed.strategy, schedule.zone, nominal)
  const seedHash = hash(seedMaterial(job.identity, key, schedule.seed.salt))
  let chosen: number | null = null
  let attemptCount = 0
  if (windowStart === windowEnd)
    chosen = allows(schedule.constraints, schedule.zone, windowStart) ? windowStart : null
  else {
    const seconds = windowEnd - windowStart
    const shape = shapeOf(schedule.distribution, frameOf(schedule, nominal, windowStart, seconds))
    const generator = generatorFrom(seedHash)
    while (chosen === null && attemptCount < MAX_ATTEMPTS) {
      attemptCount++
      const candidate = windowStart + sampleOffset(shape, generator, seconds)
      if (allows(schedule.constraints, schedule.zone, candidate)) chosen = candidate
    }
  }
  return { job, nominal, windowStart, windowEnd, chosen, periodKey: key, seedHash, attemptCount }
}

export const frameOf = (
  schedule: Schedule,
  nominal: number,
  windowStart: number,
  seconds: number,
): Frame => ({
  seconds,
  nominal: (nominal - windowStart) / seconds,
  around: schedule.window.mode === 'around',
})

const sampleOffset = (shape: Shape, generator: Generator, seconds: number): number =>
  offsetOf(shape.quantile(nextUnit(generator)), seconds)

/** The second of the window at `x`, clamped to [0, 1). */
export function offsetOf(x: number, seconds: number): number {
  if (x >= 1) return seconds
  return x > 0 ? Math.min(seconds, Math.floor(x * (seconds + 1))) : 0
}

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
}

export function recordOf(decision: Decision): DecisionRecord {
  const { job, nominal, chosen } = decision
  const { zone, window, distribution, seed, constraints } = job.schedule
  const nominalTime = printInstant(nominal)
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
  }
}
