import { backoff, type Timer } from '@kron/runtime'
import type { SchedulerClock } from '../clock/system-clock.ts'
import type { Change, Store } from '../store/store.ts'

const FIRST_BACKOFF_MS = 100
const LONGEST_BACKOFF_MS = 30_000

/** The pause after so many failures of the store in a row. */
export const storeBackoffMs = (failures: number): number =>
  backoff(failures, FIRST_BACKOFF_MS, LONGEST_BACKOFF_MS)

/** The queue to the store: one commit at a time, and a pause after a failed one. */
export class CommitLine {
  readonly #store: Store
  readonly #clock: SchedulerClock
  #failures = 0
  #busy = false
  #pause: Timer

  constructor(store: Store, clock: SchedulerClock) {
    this.#store = store
    this.#clock = clock
  }

  get busy(): boolean {
    return this.#busy
  }

  get pausing(): boolean {
    return this.#pause !== undefined
  }

  /** The line stays busy until `free()` is called, which the callback must do. */
  send(change: Change, onSaved: () => void, onFailed: (error: unknown) => void): void {
    this.#busy = true
    this.#commit(change).then(
      () => {
        this.#failures = 0
        onSaved()
      },
      error => onFailed(error),
    )
  }

  free(): void {
    this.#busy = false
  }

  pause(onEnd: () => void): void {
    this.#pause = this.#clock.setTimer(storeBackoffMs(++this.#failures), () => {
      this.#pause = undefined
      onEnd()
    })
  }

  endPause(): void {
    if (this.#pause !== undefined) this.#clock.clearTimer(this.#pause)
    this.#pause = undefined
  }

  // `async` turns a store's synchronous throw into a rejection.
  async #commit(change: Change): Promise<void> {
    await this.#store.commit(change)
  }
}
