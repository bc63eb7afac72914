import { KronError, SchedulingError } from '@kron/core'
import { backoff } from '@kron/runtime'

const FIRST_PAUSE = 1
export const LONGEST_PAUSE = 60

/** The second at which a start is tried again: the pauses double, and the last try comes just after the deadline. */
export function retryTime(tries: number, now: number, lastStart: number): number {
  return Math.max(now, Math.min(now + backoff(tries + 1, FIRST_PAUSE, LONGEST_PAUSE), lastStart + 1))
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
