import { type Handled, type Outcome, printInstant } from '@kron/core'
import { type ActiveState, type HandledRecord, handledRecordOf, type ManualRun } from './state.ts'

/** What can happen to a job's state. */
export type StateEvent =
  | { readonly kind: 'seen'; readonly firstSeen: string; readonly handled: HandledRecord }
  /** Swept periods are owed again: the clock was ahead, or somebody asked for it. The one event that takes something back. */
  | {
      readonly kind: 'reopened'
      readonly at: string
      readonly firstSeen: string
      readonly handled: HandledRecord
    }
  | { readonly kind: 'intended'; readonly execution: ActiveState }
  /** Somebody asked for a run now; its start is intended. */
  | { readonly kind: 'requested'; readonly run: ManualRun }
  /** A running process that the state did not know: its period is handled already. */
  | { readonly kind: 'adopted'; readonly execution: ActiveState }
  | { readonly kind: 'withdrawn'; readonly executionId: string; readonly at: string }
  | {
      readonly kind: 'started'
      readonly executionId: string
      readonly pid: number
      readonly processStart: number
      readonly shimPid?: number
      readonly startedAt: string
      readonly seedHash: string
      readonly handled: HandledRecord
    }
  | {
      readonly kind: 'finished'
      readonly executionId: string
      readonly completedAt: string
      readonly exitCode: number | null
      readonly signal?: string
      readonly reason?: string
      /** What the shim measured. */
      readonly durationMs?: number
      readonly usage?: RunUsage
    }
  | {
      readonly kind: 'notExecuted'
      /** Several at once after a catch-up, the most recent last. */
      readonly periods: readonly NotExecuted[]
      readonly at: string
      readonly handled: HandledRecord
    }

/** What a run cost and printed. */
export interface RunUsage {
  readonly userCpuMs: number
  readonly systemCpuMs: number
  readonly peakMemoryKib: number
  readonly printedBytes: number
  /** Printed, but not in the kept copy. */
  readonly droppedBytes: number
}

export interface NotExecuted {
  readonly outcome: Exclude<Outcome, 'executed'>
  readonly periodId: string
  readonly chosenTime: string
  readonly reason: string
  readonly seedHash: string
}

/** What a job's first event is. */
export const seen = (handled: Handled): StateEvent => ({
  kind: 'seen',
  firstSeen: printInstant(handled.firstSeen),
  handled: handledRecordOf(handled),
})

/** One line of a state journal: the event that made the job's state number `Seq`. */
export interface StateRecord {
  readonly Identity: string
  readonly Seq: number
  readonly Event: StateEvent
}
