import type { TaskTryDeserializeError } from './error/record-error.ts'

/** The cause of a start. `preemption`: an occurrence came while a retry was pending. `request`: `runNow` was called. */
export type StartCause = 'occurrence' | 'retry' | 'preemption' | 'orphan' | 'request'

/** Whether a run with this cause serves the same occurrence as the previous run. */
export const servesAgain = (cause: StartCause): boolean => cause === 'retry' || cause === 'orphan'

interface At {
  /** Epoch milliseconds by the scheduler's clock. */
  readonly at: number
}

interface OfTask extends At {
  readonly taskName: string
}

interface Plain<Type extends string> extends At {
  readonly type: Type
}

export type LifecycleEvent =
  | Plain<'SchedulerInitializationStarted'>
  | Plain<'SchedulerInitializationCompleted'>
  | (Plain<'SchedulerInitializationFailed'> & { readonly error: unknown })
  | Plain<'SchedulerStopRequested'>
  | Plain<'SchedulerStopped'>
  | Plain<'PollingStarted'>
  | Plain<'PollingStopRequested'>
  | Plain<'PollingStopped'>
  /** Another instance is active; this one waits to take over. */
  | Plain<'standby'>

/** Starts and ends are reported once they are durable. */
export type TaskEvent =
  | (OfTask & { readonly type: 'TaskRunStarted'; readonly cause: StartCause })
  | (OfTask & { readonly type: 'TaskRetryStarted' })
  | (OfTask & { readonly type: 'TaskRetryPreempted' })
  | (OfTask & { readonly type: 'TaskRunCompleted'; readonly endedAt: number })
  | (OfTask & {
      readonly type: 'TaskRunFailed'
      readonly endedAt: number
      readonly error: unknown
      /** Absent if the task has no retry left before its next occurrence. */
      readonly pendingRetryUntil?: number
    })
  /** `runNow` was called. */
  | (OfTask & { readonly type: 'TaskRunRequested' })
  | (OfTask & { readonly type: 'TaskStartedLate'; readonly lateMs: number })
  | (OfTask & {
      readonly type: 'TaskOrphaned'
      readonly previousOwner: string
      readonly currentOwner: string
    })

export type StateEvent =
  | (At & {
      readonly type: 'StateReconciled'
      readonly created: number
      readonly removed: number
      readonly changed: number
      readonly preserved: number
    })
  /** The stored record of a task is unreadable, so the task counts as new. */
  | (At & {
      readonly type: 'TaskRecordDamaged'
      readonly taskName?: string
      readonly error: TaskTryDeserializeError | Error
    })
  /** The clock was set back so far that the last attempts of these tasks were moved to the present. */
  | (At & { readonly type: 'ClockSetBack'; readonly tasks: number })
  | (At & { readonly type: 'error'; readonly operation: string; readonly error: unknown })

export type SchedulerEvent = LifecycleEvent | TaskEvent | StateEvent
