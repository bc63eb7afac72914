import type { loadRecordOf } from '@kron/core'

export type LoadRecord = ReturnType<typeof loadRecordOf>

/** `GET /api/v1/forecast`: the starts planned for each bucket of time, with the windows of the jobs and without. */
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
