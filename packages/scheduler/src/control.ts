import { OptionError } from './error/option-error.ts'
import type { SchedulerEvent } from './event.ts'
import type { Scheduler } from './scheduler.ts'

/** The task's state, as the specification names it. */
export type TaskStateName = 'AwaitingRun' | 'Running' | 'AwaitingRetry'

/** A task as it is now; instants are epoch milliseconds. */
export interface TaskState {
  readonly name: string
  readonly schedule: string
  readonly state: TaskStateName
  readonly firstSeenAt: number
  readonly lastAttemptAt?: number
  readonly lastSuccessAt?: number
  readonly lastFailureAt?: number
  /** When it starts next, if nothing happens to it before; absent while it runs, and if that is never. */
  readonly nextDueAt?: number
  /** Since when it runs, if it does. */
  readonly runningSince?: number
}

/** How a run ended that was asked for. */
export type RunResult = { readonly kind: 'success' } | { readonly kind: 'failure'; readonly error: unknown }

/** Why a task starts when it starts. */
export interface TaskExplanation extends TaskState {
  /** One sentence for people. */
  readonly text: string
  readonly timeZone: string
  /** The next occurrence of its schedule. */
  readonly nextOccurrenceAt?: number
  /** For `schedules: 'kron'`: how the second of that occurrence was chosen, as `krontab explain --json` prints it. */
  readonly decision?: object
}

/** What the free functions ask of a scheduler. */
export interface Control {
  tasks(): TaskState[]
  run(name: string): Promise<RunResult>
  explain(name: string): TaskExplanation
  listen(listener: (event: SchedulerEvent) => void): () => void
}

/** One for all copies of this package in a process: a scheduler may come from another one, ESM or CommonJS. */
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

/** Every task of a running scheduler, in the order of the registrations; none while it is not running. */
export const tasksOf = (scheduler: Scheduler): TaskState[] => controlOf('tasksOf', scheduler).tasks()

/**
 * Starts a task that is not running, due or not, as any other run: recorded, retried, never twice at once. Resolves with how it ended.
 */
export const runNow = async (scheduler: Scheduler, name: string): Promise<RunResult> =>
  controlOf('runNow', scheduler).run(name)

/** Says when a task starts next, and why then. */
export const explain = (scheduler: Scheduler, name: string): TaskExplanation =>
  controlOf('explain', scheduler).explain(name)

/** Calls the listener on every event; returns a function that ends it. */
export function subscribe(scheduler: Scheduler, listener: (event: SchedulerEvent) => void): () => void {
  if (typeof listener !== 'function')
    throw new OptionError('subscribe', 'listener', listener, 'must be a function')
  return controlOf('subscribe', scheduler).listen(listener)
}
