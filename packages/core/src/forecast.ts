import { next } from './cron/search.ts'
import type { Job } from './schedule/schedule.ts'
import type { Hash } from './seed/sha256.ts'
import { upcoming } from './upcoming.ts'

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

/** Adds one job's planned starts; suspended jobs and unschedulable periods start nothing. */
export function addToForecast(forecast: Forecast, job: Job, hash?: Hash): void {
  const { from, to, bucket } = forecast
  const { cron, zone, policy } = job.schedule
  if (policy.suspend) return
  for (const { chosen, windowStart } of upcoming(job, from, hash)) {
    if ((chosen ?? windowStart) >= to) break
    if (chosen !== null) forecast.spread[Math.floor((chosen - from) / bucket)]! += 1
  }
  let nominal = next(cron, zone, from - 1)
  while (nominal !== undefined && nominal < to) {
    forecast.plain[Math.floor((nominal - from) / bucket)]! += 1
    nominal = next(cron, zone, nominal)
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
