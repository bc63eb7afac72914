import { SchedulerError } from '../error/scheduler-error.ts'
import type { TaskRecord } from '../task/record.ts'

export interface Change {
  readonly put: readonly TaskRecord[]
  /** The names of the tasks to remove. */
  readonly remove: readonly string[]
}

/** The channel between a store and the scheduler, from `load` to `close`. */
export interface StoreSession {
  /** Aborted when the scheduler is stopped during `load`. */
  readonly signal: AbortSignal
  /** Call this when another instance is active. `load` then resolves when this instance may take over. */
  onStandby(): void
  /** Call this when persisted data is unreadable and was set aside. */
  onDamage(error: Error): void
  /** Call this when a background operation of the store has failed without losing data. */
  onError(operation: string, error: unknown): void
  /** Call this when another instance has taken over. `commit` would reject with the same error. */
  onLost(error: StoreLostError): void
}

/** Persistent storage for tasks. One scheduler at a time uses it, with one call at a time. */
export interface Store {
  /** True if the data is lost when the process ends, so that starts need not wait for a commit. */
  readonly volatile?: boolean
  /** Opens the store and returns all records. Leaves nothing open if it rejects. May be called again after `close`. */
  load(session?: StoreSession): Promise<readonly TaskRecord[]>
  /** Stores the whole change or nothing. The change is durable once the promise resolves. */
  commit(change: Change): Promise<void>
  close(): Promise<void> | void
}

/** Another instance has taken over. The data of this instance may be out of date, so it must load again. */
export class StoreLostError extends SchedulerError<{ readonly store: string }> {
  override get name() {
    return 'StoreLostError'
  }

  constructor(store: string, cause?: unknown) {
    super(`Another instance has taken over ${store}`, { store }, cause)
  }
}

/** Also recognizes an error from another copy of this package. */
export const isStoreLost = (error: unknown): error is StoreLostError =>
  (error as { readonly name?: unknown } | null | undefined)?.name === 'StoreLostError'
