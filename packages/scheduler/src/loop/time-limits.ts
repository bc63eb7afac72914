import type { Timer } from '@kron/runtime'
import type { SchedulerClock } from '../clock/system-clock.ts'
import type { Run } from './run-context.ts'

/** Aborts runs that take too long. */
export class TimeLimits {
  readonly #clock: SchedulerClock
  readonly #timers = new Map<number, Timer>()

  constructor(clock: SchedulerClock) {
    this.#clock = clock
  }

  set(slot: number, run: Run, timeoutMs: number): void {
    const abort = () => {
      this.#timers.delete(slot)
      run.abort(timeoutError(run.name, timeoutMs))
    }
    this.#timers.set(slot, this.#clock.setTimer(timeoutMs, abort))
  }

  clear(slot: number): void {
    if (this.#timers.size === 0) return
    const timer = this.#timers.get(slot)
    if (timer !== undefined) this.#clock.clearTimer(timer)
    this.#timers.delete(slot)
  }
}

/** The same error type as `AbortSignal.timeout`. */
const timeoutError = (taskName: string, timeoutMs: number) =>
  new DOMException(`task "${taskName}" has run for more than ${timeoutMs} ms`, 'TimeoutError')

/** The abort reason of a callback's signal after a stop. */
export const stopReason = (graceMs: number) =>
  new DOMException(`the scheduler was stopped ${graceMs} ms ago`, 'AbortError')
