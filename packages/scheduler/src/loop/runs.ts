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
  start(taskName: string, callback: Callback, onEnd: (outcome: Outcome) => void): void {
    this.#count++
    const run: Run = { runs: this, taskName, ended: false }
    current.run(run, perform, callback).then(outcome => {
      run.ended = true
      this.#count--
      onEnd(outcome)
    })
  }
}

async function perform(callback: Callback): Promise<Outcome> {
  try {
    await callback()
    return SUCCESS
  } catch (error) {
    return { kind: 'failure', error }
  }
}
