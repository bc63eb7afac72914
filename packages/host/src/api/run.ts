import type { Outcome, OutcomeKind } from '@kron/core'
import type { UsageRecord } from '../state/run-usage.ts'

export type { UsageRecord }

/** The outcome of one period or of one manual run: `GET /api/v1/history`. */
export interface OutcomeRecord extends UsageRecord {
  readonly identity: string
  /** Names the run and its output; null if nothing was executed, or an early krond recorded it. */
  readonly runId: string | null
  readonly trigger: 'schedule' | 'manual'
  /** The user who asked for a manual run; null for a scheduled one, and for viewers who may not know. */
  readonly by: string | null
  /** Null for a manual run, which is no period. */
  readonly periodId: string | null
  /** core's OUTCOME_STYLES has its word, icon and colour. */
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
  /** Present in the made-up past of a demonstration: nothing ran. */
  readonly example?: true
}

/** To get the next page, set `before=` to `next`, which is null at the end. */
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
