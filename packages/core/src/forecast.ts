import { decide } from './decision.ts'
import { periodsWithin } from './periods.ts'
import type { Job } from './schedule/schedule.ts'
import type { Hash } from './seed/sha256.ts'

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

/** Adds one job's planned starts and tells `onStart` each; suspended jobs and unschedulable periods start nothing. */
export function addToForecast(
  forecast: Forecast,
  job: Job,
  hash?: Hash,
  onStart?: (chosen: number) => void,
): void {
  const { from, to } = forecast
  if (job.schedule.policy.suspend) return
  const count = (starts: Uint32Array, at: number): void => {
    if (at >= from && at < to) starts[Math.floor((at - from) / forecast.bucket)]! += 1
  }
  for (const nominal of periodsWithin(job.schedule, from, to)) {
    count(forecast.plain, nominal)
    const { chosen } = decide(job, nominal, hash)
    if (chosen !== null) {
      count(forecast.spread, chosen)
      if (chosen >= from && chosen < to) onStart?.(chosen)
    }
  }
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
