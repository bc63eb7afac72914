import { AsyncLocalStorage } from 'node:async_hooks'
import type { Callback } from '../registration/registration.ts'
import { isThenable } from '../thenable.ts'
import type { Run } from './run-context.ts'

const current = new AsyncLocalStorage<Run | undefined>()

export type Outcome = { readonly kind: 'success' } | { readonly kind: 'failure'; readonly error: unknown }

const SUCCESS: Outcome = { kind: 'success' }

/** Told of the end of a run by the slot it was started for. */
export type OnEnd = (slot: number, outcome: Outcome) => void

/** The callbacks at work, and the knowledge of being inside one. */
export class Runs {
  readonly #running = new Set<Run>()

  get count(): number {
    return this.#running.size
  }

  /** The task whose callback, still at work, the caller is part of. */
  callerTask(): string | undefined {
    const run = current.getStore()
    return run !== undefined && this.#running.has(run) ? run.name : undefined
  }

  /** Tells every callback at work to come to an end. */
  abort(reason: unknown): void {
    for (const run of this.#running) run.abort(reason)
  }

  /** Does something that starts runs, each of which gets a context of its own. */
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
   * Calls back, within `starting`. A callback that did all its work at once has ended when this returns, and its outcome is returned;
   * otherwise `onEnd` is told of it. One that throws has failed like one that rejects.
   */
  start(run: Run, callback: Callback, slot: number, onEnd: OnEnd): Outcome | undefined {
    this.#running.add(run)
    // Not `run`, which would also leave the context: that of a run that has ended means nothing to anybody.
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
