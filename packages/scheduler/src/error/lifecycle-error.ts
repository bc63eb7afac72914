import { messageOf, SchedulerError } from './scheduler-error.ts'

export interface AlreadyActiveDetails {
  readonly currentState: string
}

export class SchedulerAlreadyActiveError extends SchedulerError<AlreadyActiveDetails> {
  override get name() {
    return 'SchedulerAlreadyActiveError'
  }

  constructor(currentState: 'initializing' | 'running') {
    super(`Cannot initialize scheduler: scheduler is already ${currentState}`, { currentState })
  }
}

export type InitializationStep =
  | 'read the clock'
  | 'identify'
  | 'find the time zone'
  | 'load the store'
  | 'commit to the store'
  | 'set a timer'

export interface InitializationDetails {
  readonly step: InitializationStep
  readonly cause: unknown
}

/** The registrations may be valid, but something they depend on failed. Nothing runs. */
export class SchedulerInitializationError extends SchedulerError<InitializationDetails> {
  override get name() {
    return 'SchedulerInitializationError'
  }

  constructor(step: InitializationStep, cause: unknown) {
    super(`Cannot initialize scheduler: failed to ${step}: ${messageOf(cause)}`, { step, cause }, cause)
  }
}

export interface StopDetails {
  readonly taskName: string
}

export class SchedulerStopInCallbackError extends SchedulerError<StopDetails> {
  override get name() {
    return 'SchedulerStopInCallbackError'
  }

  constructor(taskName: string) {
    super(
      `Cannot stop scheduler from inside the callback of task "${taskName}": stop() waits for that callback to end. ` +
        'Let the callback return first, for example by setting a flag that the code around the scheduler acts on',
      { taskName },
    )
  }
}

export interface NotRunningDetails {
  readonly operation: string
}

export class SchedulerNotRunningError extends SchedulerError<NotRunningDetails> {
  override get name() {
    return 'SchedulerNotRunningError'
  }

  constructor(operation: string) {
    super(`Cannot ${operation}: the scheduler is not running; call initialize first`, { operation })
  }
}

export interface TaskDetails {
  readonly taskName: string
}

export class TaskUnknownError extends SchedulerError<TaskDetails> {
  override get name() {
    return 'TaskUnknownError'
  }

  constructor(taskName: string) {
    super(`There is no task "${taskName}" among the registrations`, { taskName })
  }
}

export class TaskAlreadyRunningError extends SchedulerError<TaskDetails> {
  override get name() {
    return 'TaskAlreadyRunningError'
  }

  constructor(taskName: string) {
    super(`Task "${taskName}" is running already, and never runs twice at once`, { taskName })
  }
}
