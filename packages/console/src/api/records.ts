import type { ExplanationRecord } from '@kron/core'

/** The answers of krond; docs/reference/openapi.json describes the same shapes. */
export type * from '@kron/host/api'

export interface LoadRecord {
  readonly total: number
  readonly peak: number
  readonly peakAt: string | null
  readonly mean: number
  readonly peakToMean: number
}

export interface ForecastRecord {
  readonly from: string
  readonly to: string
  readonly bucket: string
  readonly jobs: number
  /** Starts that pauses cost; they are not counted. */
  readonly lostToPauses: number
  readonly kron: LoadRecord
  readonly plain: LoadRecord
  readonly buckets: readonly { readonly start: string; readonly kron: number; readonly plain: number }[]
}

export type DecisionAnswer = ExplanationRecord

/** One event of the live feed: a log line of krond, typed loosely as it may grow. */
export interface FeedEvent {
  readonly time: string
  readonly event: string
  readonly level: string
  readonly identity?: string
  readonly period_id?: string
  readonly [field: string]: string | number | boolean | null | undefined
}
