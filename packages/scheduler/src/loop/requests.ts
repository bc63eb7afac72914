import type { Outcome } from './runs.ts'

/** The callers of `runNow` that wait for the end of a run, by slot. */
export class Requests {
  readonly #waiting = new Map<number, PromiseWithResolvers<Outcome>>()

  /** Resolves with the outcome of the task's next run. */
  add(slot: number): Promise<Outcome> {
    const known = this.#waiting.get(slot)
    if (known !== undefined) return known.promise
    const waiting = withResolvers<Outcome>()
    this.#waiting.set(slot, waiting)
    return waiting.promise
  }

  ended(slot: number, outcome: Outcome): void {
    if (this.#waiting.size === 0) return
    this.#waiting.get(slot)?.resolve(outcome)
    this.#waiting.delete(slot)
  }

  /** Rejects the requests whose runs will not start. */
  refuse(error: Error, isRunning: (slot: number) => boolean): void {
    for (const [slot, { reject }] of this.#waiting) {
      if (isRunning(slot)) continue
      this.#waiting.delete(slot)
      reject(error)
    }
  }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

/** Node 20 has no `Promise.withResolvers`. */
function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve = (_: T) => {}
  let reject = (_: unknown) => {}
  const promise = new Promise<T>((onSuccess, onFailure) => {
    resolve = onSuccess
    reject = onFailure
  })
  return { promise, resolve, reject }
}
