import { AsyncLocalStorage } from 'node:async_hooks'
import type { Callback } from '../registration/registration.ts'

/** A callback at work. */
interface Run {
  readonly runs: Runs
  readonly taskName: string
  ended: boolean
}

const current = new AsyncLocalStorage<Run>()

export type Outcome = { readonly kind: 'success' } | { readonly kind: 'failure'; readonly error: unknown }

const SUCCESS: Outcome = { kind: 'success' }

/** Told of the end of a run by the slot it was started for. */
export type OnEnd = (slot: number, outcome: Outcome) => void

/** The callbacks at work, and the knowledge of being inside one. */
export class Runs {
  #count = 0

  get count(): number {
    return this.#count
  }

  /** The task whose callback, still at work, the caller is part of. */
  callerTask(): string | undefined {
    const run = current.getStore()
    return run !== undefined && run.runs === this && !run.ended ? run.taskName : undefined
  }

  /** Calls back; a callback that throws at once has failed like one that rejects. */
  start(taskName: string, callback: Callback, slot: number, onEnd: OnEnd): void {
    this.#count++
    const run: Run = { runs: this, taskName, ended: false }
    current.run(run, perform, run, callback, slot, onEnd)
  }

  /** Ends a run; what its callback has left behind is no longer part of it. */
  end(run: Run): void {
    run.ended = true
    this.#count--
  }
}

async function perform(run: Run, callback: Callback, slot: number, onEnd: OnEnd): Promise<void> {
  let outcome = SUCCESS
  try {
    await callback()
  } catch (error) {
    outcome = { kind: 'failure', error }
  }
  run.runs.end(run)
  onEnd(slot, outcome)
}
