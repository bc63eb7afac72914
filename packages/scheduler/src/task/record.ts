/** The stored data of a task. Instants are epoch milliseconds. */
export interface TaskRecord {
  readonly name: string
  readonly cronExpression: string
  readonly retryDelayMs: number
  readonly firstSeenAt: number
  /** Present if the task never ran and does not owe the minute in which it was first seen. */
  readonly firstMinuteWaived?: true
  /** The start of the last run, with any outcome. */
  readonly lastAttemptAt?: number
  readonly lastSuccessAt?: number
  readonly lastFailureAt?: number
  readonly pendingRetryUntil?: number
  /** The number of runs that have served the last occurrence. Kept only for tasks with a retry policy. */
  readonly attempt?: number
  /** The instance that started a run whose end is not recorded. */
  readonly runningBy?: string
}
