import type { Clock, ClockJump } from '@kron/runtime'
import { jitteredBackoff } from '../../cluster/backoff.ts'
import { Timers } from './timers.ts'
import { type Reason, WorkQueue } from './work-queue.ts'

export interface AgendaOptions {
  readonly clock: Clock
  readonly random?: () => number
  readonly work: (key: string, reason: Reason) => Promise<void>
  readonly onJump: (jump: ClockJump) => void
}

/** Decides when a KronJob gets a worker: after a change, at its time, or again after an error. Open during a term. */
export class Agenda {
  readonly #options: AgendaOptions
  readonly #queue: WorkQueue
  readonly #timers: Timers
  /** The number of errors in a row. */
  readonly #errors = new Map<string, number>()
  #isOpen = false

  constructor(options: AgendaOptions) {
    this.#options = options
    const { clock, work, onJump } = options
    this.#queue = new WorkQueue({ work })
    this.#timers = new Timers({
      clock,
      onJump,
      onDue: (keys, wokenAt) => {
        for (const key of keys) this.add(key, { wokenAt })
      },
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** The numbers of keys waiting for a worker, and of KronJobs waiting for their time. */
  get load(): { readonly queued: number; readonly waiting: number } {
    return { queued: this.#queue.depth, waiting: this.#timers.size }
  }

  /** Resolves when no key waits for a worker. */
  calm(): Promise<void> {
    return this.#queue.calm()
  }

  open(): void {
    this.#isOpen = true
  }

  /** Drops everything that waits. Resolves when the work in progress is done. */
  async close(): Promise<void> {
    this.#isOpen = false
    this.#timers.clear()
    await this.#queue.clear()
    this.#errors.clear()
  }

  /** Work that is in progress when the term ends must not lead to more. */
  add(key: string, reason: Reason = {}): void {
    if (this.#isOpen) this.#queue.add(key, reason)
  }

  hasTimer(key: string): boolean {
    return this.#timers.has(key)
  }

  /** `at` is in whole epoch seconds. Undefined removes the timer. */
  setTimer(key: string, at: number | undefined): void {
    if (!this.#isOpen) return
    if (at === undefined) this.#timers.remove(key)
    else this.#timers.set(key, at)
  }

  /** Adds the key again after a pause, which grows with the errors in a row. */
  retry(key: string, reason: Reason): void {
    const errors = (this.#errors.get(key) ?? 0) + 1
    this.#errors.set(key, errors)
    const pause = jitteredBackoff(errors, 100, 10_000, this.#options.random)
    this.#options.clock.setTimer(pause, () => this.add(key, reason))
  }

  /** Ends the errors in a row. */
  succeeded(key: string): void {
    this.#errors.delete(key)
  }
}
