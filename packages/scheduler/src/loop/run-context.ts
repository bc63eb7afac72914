import type { StartCause } from '../event.ts'
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
  /** The start of the previous run. */
  readonly #before: number | undefined
  #controller: AbortController | undefined

  constructor(table: TaskTable, slot: number, cause: StartCause, at: number, before: number | undefined) {
    this.name = table.name(slot)
    this.attempt = table.attempt(slot)
    this.#table = table
    this.#slot = slot
    this.#cause = cause
    this.#at = at
    this.#before = before
  }

  get scheduledFor(): number {
    const at = this.#at
    if (this.#cause === 'request') return at
    const again = this.#cause === 'retry' || this.#cause === 'orphan'
    return this.#table.occurrences(this.#slot).last(again ? (this.#before ?? at) : at) ?? at
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
