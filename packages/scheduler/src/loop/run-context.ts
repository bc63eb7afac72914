import { type StartCause, servesAgain } from '../event.ts'
import type { RunContext } from '../registration/registration.ts'
import type { TaskTable } from '../task/task-table.ts'

/**
 * A running callback and its context. The signal and the occurrence are computed on access: most callbacks never read
 * them, and there may be many callbacks.
 */
export class Run implements RunContext {
  readonly name: string
  readonly attempt: number
  readonly #table: TaskTable
  readonly #slot: number
  readonly #cause: StartCause
  readonly #at: number
  /** The start of the previous run, if this run serves the same occurrence. */
  readonly #before: number | undefined
  #controller: AbortController | undefined

  private constructor(
    table: TaskTable,
    slot: number,
    attempt: number,
    cause: StartCause,
    at: number,
    before: number | undefined,
  ) {
    this.name = table.name(slot)
    this.attempt = attempt
    this.#table = table
    this.#slot = slot
    this.#cause = cause
    this.#at = at
    this.#before = before
  }

  /** Records the start of a task in the table. The caller calls the callback. */
  static begin(table: TaskTable, slot: number, cause: StartCause, at: number, owner: string): Run {
    const before = servesAgain(cause) ? table.times(slot).lastAttemptAt : undefined
    const attempt = table.start(slot, at, owner, cause)
    return new Run(table, slot, attempt, cause, at, before)
  }

  get scheduledFor(): number {
    const at = this.#at
    if (this.#cause === 'request') return at
    return this.#table.occurrences(this.#slot).last(this.#before ?? at) ?? at
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  abort(reason: unknown): void {
    this.#controller ??= new AbortController()
    this.#controller.abort(reason)
  }
}
