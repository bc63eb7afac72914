import type { Outcome, OutcomeKind } from '@kron/core'

/** What became of one period, or how one manual run ended: `GET /api/v1/history`. */
export interface OutcomeRecord {
  readonly identity: string
  /** Names the run and its output; null if nothing was executed, or an early krond recorded it. */
  readonly runId: string | null
  readonly trigger: 'schedule' | 'manual'
  /** The user who asked for a manual run; null for a scheduled one, and for viewers who may not know. */
  readonly by: string | null
  /** Null for a manual run, which is no period. */
  readonly periodId: string | null
  /** The word, icon and colour of it are in core's OUTCOME_STYLES. */
  readonly kind: OutcomeKind
  readonly outcome: Outcome
  /** Why krond ended the run or did not start it; empty if neither applies. core's outcomeText() explains it. */
  readonly reason: string
  readonly nominalTime: string | null
  readonly chosenTime: string | null
  readonly startedAt: string | null
  readonly completedAt: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly durationMs: number | null
  readonly userCpuMs: number | null
  readonly systemCpuMs: number | null
  readonly peakMemoryKib: number | null
  readonly printedBytes: number | null
  /** Printed, but not in the kept output. */
  readonly droppedBytes: number | null
}

/** The page that follows has `before=` set to `next`; null at the end. */
export interface OutcomePage {
  readonly outcomes: readonly OutcomeRecord[]
  readonly next: string | null
}

/** An execution that runs now: `GET /api/v1/running`. */
export interface RunningRecord {
  readonly job: string
  readonly identity: string
  readonly trigger: 'schedule' | 'manual'
  readonly by: string | null
  /** Null for a manual run. */
  readonly periodId: string | null
  readonly chosenTime: string | null
  readonly startedAt: string
  readonly pid: number | null
  /** The run id of its output and history entry. */
  readonly executionId: string
  readonly adopted: boolean
}

export interface RunningPage {
  readonly running: readonly RunningRecord[]
  readonly waiting: number
  readonly queue: readonly { readonly identity: string; readonly periodId: string }[]
}
