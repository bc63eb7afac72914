import { decide } from '../decision/decision.ts'
import type { Job } from '../schedule/schedule.ts'
import type { Hash } from '../seed/sha256.ts'
import { SECOND } from '../time/duration.ts'
import { printInstant } from '../time/instant.ts'
import { PausedJob, type PausedTime } from './paused-job.ts'
import { periodsWithin } from './periods.ts'

/** Starts per bucket over [from, to), with the jobs' windows and without them. */
export interface Forecast {
  readonly from: number
  readonly to: number
  readonly bucket: number
  readonly spread: Uint32Array
  readonly plain: Uint32Array
}

export interface Load {
  readonly total: number
  readonly peak: number
  readonly peakBucket: number
  readonly mean: number
  readonly ratio: number
}

export const emptyForecast = (from: number, to: number, bucket: number): Forecast => {
  const buckets = Math.max(1, Math.ceil((to - from) / bucket))
  return { from, to, bucket, spread: new Uint32Array(buckets), plain: new Uint32Array(buckets) }
}

/** How a job is added to a forecast. */
export interface ForecastOptions {
  readonly hash?: Hash | undefined
  /** The job's pauses: periods that they cost are not counted. */
  readonly pauses?: readonly PausedTime[] | undefined
  /** Is told each planned start. */
  readonly onStart?: ((start: number) => void) | undefined
}

/**
 * Adds one job's planned starts. Suspended jobs and unschedulable periods start nothing. Returns the number of starts
 * that a pause costs: times chosen in [from, to) that will not start.
 */
export function addToForecast(forecast: Forecast, job: Job, options: ForecastOptions = {}): number {
  const { from, to } = forecast
  const { hash, pauses = [], onStart } = options
  const { policy } = job.schedule
  if (policy.suspend) return 0
  const within = (at: number): boolean => at >= from && at < to
  const count = (starts: Uint32Array, at: number): void => {
    if (within(at)) starts[Math.floor((at - from) / forecast.bucket)]! += 1
  }
  const paused = pauses.length === 0 ? undefined : new PausedJob(job, pauses, hash)
  let lost = 0
  // A pause may put off a start that was chosen before `from`.
  const first = paused === undefined ? from : from - Math.floor(policy.deadline / SECOND)
  for (const nominal of periodsWithin(job.schedule, first, to)) {
    if (paused === undefined || paused.resumedAt(nominal) === nominal) count(forecast.plain, nominal)
    const { chosen } = decide(job, nominal, hash)
    if (chosen === null) continue
    const start = paused === undefined ? chosen : paused.startOf(chosen)
    if (start === undefined) {
      if (within(chosen)) lost++
      continue
    }
    count(forecast.spread, start)
    if (within(start)) onStart?.(start)
  }
  return lost
}

export function loadOf(counts: Uint32Array): Load {
  let total = 0
  let peak = 0
  let peakBucket = 0
  for (let i = 0; i < counts.length; i++) {
    total += counts[i]!
    if (counts[i]! > peak) {
      peak = counts[i]!
      peakBucket = i
    }
  }
  const mean = total / counts.length
  return { total, peak, peakBucket, mean, ratio: mean === 0 ? 0 : peak / mean }
}

/** The load of counts that begin at `from`, with buckets of so many seconds, as API and commands print it. */
export function loadRecordOf(counts: Uint32Array, from: number, bucket: number) {
  const { total, peak, peakBucket, mean, ratio } = loadOf(counts)
  const peakAt = peak === 0 ? null : printInstant(from + peakBucket * bucket)
  return { total, peak, peakAt, mean, peakToMean: ratio }
}
