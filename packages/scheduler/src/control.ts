import { OptionError } from './error/option-error.ts'
import type { SchedulerEvent } from './event.ts'
import type { Scheduler } from './scheduler.ts'

/** The state of a task, with the names from the specification. */
export type TaskStateName = 'AwaitingRun' | 'Running' | 'AwaitingRetry'

/** A snapshot of a task. Instants are epoch milliseconds. */
export interface TaskState {
  readonly name: string
  readonly schedule: string
  readonly state: TaskStateName
  readonly firstSeenAt: number
  readonly lastAttemptAt?: number
  readonly lastSuccessAt?: number
  readonly lastFailureAt?: number
  /** The time of the next start, if nothing happens to the task before. Absent while it runs, or if it never starts. */
  readonly nextDueAt?: number
  /** The start of the current run. Absent if the task is not running. */
  readonly runningSince?: number
}

/** The result of a requested run. */
export type RunResult = { readonly kind: 'success' } | { readonly kind: 'failure'; readonly error: unknown }

/** The next start of a task, with the reason for its time. */
export interface TaskExplanation extends TaskState {
  /** One sentence for people to read. */
  readonly text: string
  readonly timeZone: string
  /** The next occurrence of its schedule. */
  readonly nextOccurrenceAt?: number
  /** For `schedules: 'kron'`: how the second of that occurrence was chosen, as `krontab explain --json` prints it. */
  readonly decision?: object
}

/** The methods of a scheduler that the free functions call. */
export interface Control {
  tasks(): TaskState[]
  run(name: string): Promise<RunResult>
  explain(name: string): TaskExplanation
  listen(listener: (event: SchedulerEvent) => void): () => void
}

/** The registry is shared by all copies of this package in a process, so a scheduler may come from another copy. */
const KEY: unique symbol = Symbol.for('@kron/scheduler control')
type Registry = WeakMap<object, Control>
const shared = globalThis as { [KEY]?: Registry }
shared[KEY] ??= new WeakMap()
const registry = shared[KEY]

export function controlBy(scheduler: Scheduler, control: Control): void {
  registry.set(scheduler, control)
}

export function controlOf(of: string, scheduler: Scheduler): Control {
  const control = typeof scheduler === 'object' && scheduler !== null ? registry.get(scheduler) : undefined
  if (control === undefined)
    throw new OptionError(of, 'scheduler', scheduler, 'must be what makeScheduler returns')
  return control
}

/** Every task of a running scheduler, in registration order. Empty while the scheduler is not running. */
export const tasksOf = (scheduler: Scheduler): TaskState[] => controlOf('tasksOf', scheduler).tasks()

/**
 * Starts a task that is not running, whether it is due or not. The run is recorded and retried like any other, and
 * never overlaps another run of the task. Resolves with the result of the run.
 */
export const runNow = async (scheduler: Scheduler, name: string): Promise<RunResult> =>
  controlOf('runNow', scheduler).run(name)

/** Tells when a task starts next, and why at that time. */
export const explain = (scheduler: Scheduler, name: string): TaskExplanation =>
  controlOf('explain', scheduler).explain(name)

/** Calls the listener on every event. Returns a function that unsubscribes it. */
export function subscribe(scheduler: Scheduler, listener: (event: SchedulerEvent) => void): () => void {
  if (typeof listener !== 'function')
    throw new OptionError('subscribe', 'listener', listener, 'must be a function')
  return controlOf('subscribe', scheduler).listen(listener)
}
