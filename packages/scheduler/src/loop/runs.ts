import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import type { Callback } from '../registration/registration.ts'
import { isThenable } from '../thenable.ts'
import type { Run } from './run-context.ts'

const current = new AsyncLocalStorage<Run | undefined>()

export type Outcome = { readonly kind: 'success' } | { readonly kind: 'failure'; readonly error: unknown }

export const SUCCESS: Outcome = { kind: 'success' }

/** Called at the end of a run, with the slot it was started for. */
export type OnEnd = (slot: number, outcome: Outcome) => void

/** The running callbacks. Also knows whether the caller is inside one of them. */
export class Runs {
  /** The runs whose callbacks have not returned yet: more than one only if a callback itself fires the clock's timers. */
  readonly #called: Run[] = []
  /** The runs whose callbacks have returned a promise that is not settled yet. */
  readonly #awaited = new Set<Run>()

  /** The async context outside all runs, while `starting` executes. */
  #outside: AsyncResource | undefined

  get count(): number {
    return this.#called.length + this.#awaited.size
  }

  /** The task whose running callback contains the caller, if any. */
  callerTask(): string | undefined {
    const run = current.getStore()
    return run !== undefined && (this.#called.includes(run) || this.#awaited.has(run)) ? run.name : undefined
  }

  /** Aborts the signal of every running callback. */
  abort(reason: unknown): void {
    for (const run of [...this.#awaited, ...this.#called]) run.abort(reason)
  }

  /** Executes a function that starts runs. Each run gets its own async context. */
  starting(act: () => void): void {
    const [outside, caller] = [this.#outside, current.getStore()]
    // Only if needed: each run copies the entries of the context outside it.
    if (caller !== undefined) current.enterWith(undefined)
    this.#outside = new AsyncResource('KronRuns')
    try {
      act()
    } finally {
      this.#outside = outside
      if (caller !== undefined) current.enterWith(caller)
    }
  }

  /**
   * Calls the callback; must be called within `starting`. If the callback returns no promise, the run has ended and its
   * outcome is returned. Otherwise `onEnd` receives the outcome later. A callback that throws has failed, as has one
   * that rejects.
   */
  start(run: Run, callback: Callback, slot: number, onEnd: OnEnd): Outcome | undefined {
    // Leaves the context of a run at half the cost of `AsyncLocalStorage.run`, which enters the old context anew.
    return this.#outside!.runInAsyncScope(this.#call, this, run, callback, slot, onEnd)
  }

  #call(run: Run, callback: Callback, slot: number, onEnd: OnEnd): Outcome | undefined {
    let result: unknown
    let isPending: boolean
    // Not into the set: adding and deleting would cost more than most of these callbacks.
    this.#called.push(run)
    current.enterWith(run)
    try {
      result = callback(run)
      isPending = isThenable(result)
    } catch (error) {
      return { kind: 'failure', error }
    } finally {
      this.#called.pop()
    }
    if (!isPending) return SUCCESS
    this.#await(run, result, slot, onEnd)
    return undefined
  }

  async #await(run: Run, result: unknown, slot: number, onEnd: OnEnd): Promise<void> {
    let outcome = SUCCESS
    this.#awaited.add(run)
    try {
      await result
    } catch (error) {
      outcome = { kind: 'failure', error }
    }
    this.#awaited.delete(run)
    onEnd(slot, outcome)
  }
}
