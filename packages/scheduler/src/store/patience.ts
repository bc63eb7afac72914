import type { SchedulerClock } from '../clock/system-clock.ts'

/** The time limit for a store's answer during a stop, in milliseconds. */
export const STORE_PATIENCE = 10_000

export const NO_ANSWER = 'the store does not answer'

/** Resolves with the result of the work. Rejects if the work takes longer than the time limit. */
export function withPatience<T>(clock: SchedulerClock, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const settled = work.then(resolve, reject)
    const timer = clock.setTimer(STORE_PATIENCE, () => reject(new Error(NO_ANSWER)))
    settled.finally(() => clock.clearTimer(timer))
  })
}
