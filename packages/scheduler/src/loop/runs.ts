import { AsyncLocalStorage } from 'node:async_hooks'
import type { Callback } from '../registration/registration.ts'
import { isThenable } from '../thenable.ts'
import type { Run } from './run-context.ts'

const current = new AsyncLocalStorage<Run | undefined>()

export type Outcome = { readonly kind: 'success' } | { readonly kind: 'failure'; readonly error: unknown }

const SUCCESS: Outcome = { kind: 'success' }

/** Called at the end of a run, with the slot it was started for. */
export type OnEnd = (slot: number, outcome: Outcome) => void

/** The running callbacks. Also knows whether the caller is inside one of them. */
export class Runs {
  readonly #running = new Set<Run>()

  get count(): number {
    return this.#running.size
  }

  /** The task whose running callback contains the caller, if any. */
  callerTask(): string | undefined {
    const run = current.getStore()
    return run !== undefined && this.#running.has(run) ? run.name : undefined
  }

  /** Aborts the signal of every running callback. */
  abort(reason: unknown): void {
    for (const run of this.#running) run.abort(reason)
  }

  /** Executes a function that starts runs. Each run gets its own async context. */
  starting(act: () => void): void {
    const outside = current.getStore()
    current.enterWith(undefined)
    try {
      act()
    } finally {
      current.enterWith(outside)
    }
  }

  /**
   * Calls the callback; must be called within `starting`. If the callback returns no promise, the run has ended and its
   * outcome is returned. Otherwise `onEnd` receives the outcome later. A callback that throws has failed, as has one
   * that rejects.
   */
  start(run: Run, callback: Callback, slot: number, onEnd: OnEnd): Outcome | undefined {
    this.#running.add(run)
    // `enterWith` instead of `run`: there is no need to restore the context, because an ended run's context is unused.
    current.enterWith(run)
    try {
      const result = callback(run)
      if (isThenable(result)) {
        this.#await(run, result, slot, onEnd)
        current.enterWith(undefined)
        return undefined
      }
    } catch (error) {
      this.#end(run)
      return { kind: 'failure', error }
    }
    this.#end(run)
    return SUCCESS
  }

  async #await(run: Run, result: unknown, slot: number, onEnd: OnEnd): Promise<void> {
    let outcome = SUCCESS
    try {
      await result
    } catch (error) {
      outcome = { kind: 'failure', error }
    }
    this.#end(run)
    onEnd(slot, outcome)
  }

  #end(run: Run): void {
    this.#running.delete(run)
  }
}
