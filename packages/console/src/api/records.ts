import type { ExplanationRecord, Outcome } from '@kron/core'

/** What krond answers; docs/reference/openapi.json describes the same shapes. */
export interface StatusRecord {
  readonly version: string
  readonly instance: string
  readonly pid: number
  readonly startedAt: string
  readonly now: string
  readonly timeZoneData: string
  readonly jobs: number
  readonly running: number
  readonly waiting: number
  readonly refusedFiles: readonly string[]
}

export interface LastOutcome {
  readonly outcome: Outcome
  readonly failed: boolean
  readonly at: string
}

export interface JobRecord {
  readonly identity: string
  readonly name: string
  readonly schedule: string
  readonly timezone: string
  readonly description: string
  readonly suspended: boolean
  readonly nextTime: string | null
  readonly running: number
  readonly last: LastOutcome | null
}

export interface JobDetail extends JobRecord {
  readonly file: string
  readonly line: number
  readonly window: { readonly mode: string; readonly duration: string }
  readonly policy: { readonly concurrency: string; readonly deadline: string; readonly suspend: boolean }
  readonly execution: {
    /** Null without the token, as `cwd` and `environment`. */
    readonly program: string | null
    readonly shell: boolean
    readonly user: string | null
    readonly group: string | null
    readonly cwd: string | null
    readonly timeout: string | null
    readonly grace: string
    readonly environment: readonly string[] | null
    readonly stdout: string
    readonly stderr: string
  }
}

export interface JobPage {
  readonly total: number
  readonly next: string | null
  readonly jobs: readonly JobRecord[]
}

export interface OutcomeRecord {
  readonly identity: string
  readonly periodId: string
  readonly outcome: Outcome
  readonly reason: string
  readonly nominalTime: string
  readonly chosenTime: string | null
  readonly startedAt: string | null
  readonly completedAt: string
  readonly exitCode: number | null
  readonly signal: string | null
}

export interface OutcomePage {
  readonly outcomes: readonly OutcomeRecord[]
  readonly next: string | null
}

export interface RunningRecord {
  readonly identity: string
  readonly periodId: string
  readonly chosenTime: string | null
  readonly startedAt: string
  readonly pid: number | null
  readonly executionId: string
  readonly adopted: boolean
}

export interface RunningPage {
  readonly running: readonly RunningRecord[]
  readonly queue: readonly { readonly identity: string; readonly periodId: string }[]
}

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
