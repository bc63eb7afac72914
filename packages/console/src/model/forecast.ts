import type { ForecastRecord } from '../api/records.ts'
import { secondsOf } from './instant.ts'

/** How long each bucket is. */
export const bucketSeconds = ({ from, to, buckets }: ForecastRecord): number =>
  ((secondsOf(to) ?? 0) - (secondsOf(from) ?? 0)) / buckets.length
