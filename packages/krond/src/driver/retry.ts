import { KronError, SchedulingError } from '@kron/core'
import { backoff } from '@kron/runtime'

const FIRST_BACKOFF_SECONDS = 1
export const LONGEST_BACKOFF_SECONDS = 60

/** When the period is judged again, in epoch seconds. The back-off doubles; one second after the deadline the period is missed. */
export function retryTime(tries: number, now: number, lastStart: number): number {
  return Math.max(
    now,
    Math.min(now + backoff(tries + 1, FIRST_BACKOFF_SECONDS, LONGEST_BACKOFF_SECONDS), lastStart + 1),
  )
}

/** Any error while a decision is made becomes a scheduling error: the decision may be tried again. */
export const schedulingError = (error: unknown, identity: string): KronError =>
  error instanceof KronError
    ? error
    : new SchedulingError((error as Error).message, {
        component: 'scheduler',
        operation: 'decide',
        identity,
        cause: error,
      })
