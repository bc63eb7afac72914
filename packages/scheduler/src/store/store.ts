import { SchedulerError } from '../error/scheduler-error.ts'
import type { TaskRecord } from '../task/record.ts'

export interface Change {
  readonly put: readonly TaskRecord[]
  /** Names. */
  readonly remove: readonly string[]
}

/** What a store may tell the scheduler, and be told by it, from `load` to `close`. */
export interface StoreSession {
  /** Aborted when the scheduler is stopped while it waits for `load`. */
  readonly signal: AbortSignal
  /** Another instance is active; `load` resolves when this one may take over. */
  onStandby(): void
  /** Something persisted cannot be read and was set aside. */
  onDamage(error: Error): void
  /** Something the store does on its own has failed; nothing is lost by it. */
  onError(operation: string, error: unknown): void
  /** Another instance has taken over, as `commit` would find out too. */
  onLost(error: StoreLostError): void
}

/** Where tasks survive restarts. It is used by one scheduler at a time, one call at a time. */
export interface Store {
  /** What it keeps dies with the process, so that nothing need wait for a commit. */
  readonly volatile?: boolean
  /** Opens the store and returns every record, or rejects and leaves nothing open; after `close` it may be called again. */
  load(session?: StoreSession): Promise<readonly TaskRecord[]>
  /** All of the change or none of it, and durable once it resolves. */
  commit(change: Change): Promise<void>
  close(): Promise<void> | void
}

/** Another instance has taken over: what this one remembers may be out of date, so it must load again. */
export class StoreLostError extends SchedulerError<{ readonly store: string }> {
  override get name() {
    return 'StoreLostError'
  }

  constructor(store: string, cause?: unknown) {
    super(`Another instance has taken over ${store}`, { store }, cause)
  }
}

/** Also of one that another copy of this package threw. */
export const isStoreLost = (error: unknown): error is StoreLostError =>
  (error as { readonly name?: unknown } | null | undefined)?.name === 'StoreLostError'
