import { rejection } from '../constraint/constraints.ts'
import { shapeOf } from '../distribution/distribution.ts'
import type { Job } from '../schedule/schedule.ts'
import { seedGenerator } from '../seed/seed.ts'
import type { Hash } from '../seed/sha256.ts'
import { nextUnit } from '../seed/splitmix64.ts'
import { printInstant } from '../time/instant.ts'
import {
  type Decision,
  type DecisionRecord,
  decide,
  frameOf,
  offsetOf,
  placeOf,
  recordOf,
} from './decision.ts'

/** One sample: the generator's `u`, the distribution's `x`, and where in the window it fell. */
export interface Attempt {
  readonly u: number
  readonly x: number
  readonly offset: number
  readonly candidate: number
  /** The clause that refused it; absent if it was accepted. */
  readonly rejectedBy?: string
}

export interface Explanation {
  readonly decision: Decision
  readonly attempts: readonly Attempt[]
  /** The clause that refused the only second of a job without a window, which needs no attempts. */
  readonly rejectedBy?: string
}

/** The decision with every step that led to it. */
export function explain(job: Job, nominal: number, hash?: Hash): Explanation {
  const decision = decide(job, nominal, hash)
  const { schedule } = job
  const { chosen, windowStart, windowEnd } = decision
  const isRefused = chosen === null && windowStart === windowEnd
  const rejectedBy = isRefused ? rejection(schedule.constraints, schedule.zone, windowStart) : undefined
  return { decision, attempts: attemptsOf(decision), ...(rejectedBy === undefined ? {} : { rejectedBy }) }
}

/** Replays the samples of a decision; a window of a single second needs none. */
export function attemptsOf(decision: Decision): Attempt[] {
  const { job, nominal, windowStart, windowEnd, attemptCount } = decision
  const { schedule } = job
  const seconds = windowEnd - windowStart
  if (seconds === 0) return []
  const shape = shapeOf(schedule.distribution, frameOf(schedule, nominal, windowStart, seconds))
  const generator = seedGenerator(job.identity, schedule.seed, schedule.zone, nominal)
  return Array.from({ length: attemptCount }, () => {
    const u = nextUnit(generator)
    const x = placeOf(shape, u)
    const offset = offsetOf(x, seconds)
    const candidate = windowStart + offset
    const rejectedBy = rejection(schedule.constraints, schedule.zone, candidate)
    return { u, x, offset, candidate, ...(rejectedBy === undefined ? {} : { rejectedBy }) }
  })
}

export interface AttemptRecord {
  readonly u: number
  readonly x: number
  readonly offset: number
  readonly candidate: string
  readonly accepted: boolean
  readonly rejectedBy?: string
}

export interface ExplanationRecord extends DecisionRecord {
  readonly attempts: readonly AttemptRecord[]
  /** The clause that refused the only second of a job without a window. */
  readonly rejectedBy?: string
}

export function explanationRecordOf({ decision, attempts, rejectedBy }: Explanation): ExplanationRecord {
  return {
    ...recordOf(decision),
    attempts: attempts.map(({ u, x, offset, candidate, rejectedBy }) => ({
      u,
      x,
      offset,
      candidate: printInstant(candidate),
      accepted: rejectedBy === undefined,
      ...(rejectedBy === undefined ? {} : { rejectedBy }),
    })),
    ...(rejectedBy === undefined ? {} : { rejectedBy }),
  }
}
