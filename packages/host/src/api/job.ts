import type { Outcome, OutcomeKind } from '@kron/core'
import type { PauseRecord } from './act.ts'
import type { OutcomeRecord } from './run.ts'

export interface LastOutcome {
  readonly kind: OutcomeKind
  readonly outcome: Outcome
  readonly failed: boolean
  readonly at: string
}

/** The recent runs of a job: at most the last 50 executions that krond remembers. */
export interface JobStatistics {
  readonly runs: number
  readonly succeeded: number
  /** The durations of the latest runs, oldest first, at most 12. */
  readonly durationsMs: readonly number[]
}

/** A row of `GET /api/v1/jobs`. */
export interface JobRecord {
  readonly identity: string
  readonly name: string
  readonly schedule: string
  readonly timezone: string
  readonly description: string
  /** Suspended in its job file, or paused now. */
  readonly suspended: boolean
  /** The pause that is in force now, or the next planned one; null if there is none. */
  readonly pause: PauseRecord | null
  /** All pauses of this job, present and planned, and those of all jobs, in the order of their begin. */
  readonly pauses: readonly PauseRecord[]
  /** When its next period asks for attention. */
  readonly nextTime: string | null
  readonly running: number
  readonly last: LastOutcome | null
  /** Null before its first run, and for jobs beyond the first 10,000. */
  readonly recent: JobStatistics | null
}

export interface JobPage {
  readonly total: number
  readonly next: string | null
  readonly jobs: readonly JobRecord[]
}

/** `GET /api/v1/jobs/{identity}`. */
export interface JobDetail extends JobRecord {
  readonly file: string
  readonly line: number
  readonly periodsPerDay: number
  readonly window: { readonly mode: string; readonly duration: string }
  readonly policy: { readonly concurrency: string; readonly deadline: string; readonly suspend: boolean }
  readonly execution: {
    /** Null for viewers who may not see commands; so are `cwd` and `environment`. */
    readonly program: string | null
    readonly shell: boolean
    readonly user: string | null
    readonly group: string | null
    readonly cwd: string | null
    readonly timeout: string | null
    readonly grace: string
    /** Names of variables. */
    readonly environment: readonly string[] | null
    readonly stdout: string
    readonly stderr: string
  }
  /** The latest failed or timed-out run in the history; its output is at `runs/{runId}/output`. */
  readonly lastFailure: OutcomeRecord | null
  /** Whether this viewer may trigger, pause and resume it. */
  readonly mayAct: boolean
}
