import type { SchedulerClock } from '../system-clock.ts'

/** How long a store may take to answer once the scheduler wants to stop, in milliseconds. */
export const STORE_PATIENCE = 10_000

export const NO_ANSWER = 'the store does not answer'

/** What the work comes to, or an error once patience is over. */
export function withPatience<T>(clock: SchedulerClock, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const settled = work.then(resolve, reject)
    const timer = clock.setTimer(STORE_PATIENCE, () => reject(new Error(NO_ANSWER)))
    settled.finally(() => clock.clearTimer(timer))
  })
}
