import type { OutcomeRecord, RunningRecord } from './run.ts'

/** A message of the live feed: one line of the log, and the record that other answers make of it. */
export interface FeedEvent {
  /** With milliseconds. */
  readonly time: string
  readonly event: string
  readonly level: string
  readonly identity?: string
  readonly execution_id?: string
  /** Present if a run has begun: its record in `GET /api/v1/running`. */
  readonly running_record?: RunningRecord
  /** Present if a period or a manual run has its outcome: its record in `GET /api/v1/history`. */
  readonly outcome_record?: OutcomeRecord
  /** The other keys of the log line; docs/reference/log-events.md lists them. */
  readonly [key: string]: unknown
}
