/** What a store keeps of a task; instants are epoch milliseconds. */
export interface TaskRecord {
  readonly name: string
  readonly cronExpression: string
  readonly retryDelayMs: number
  readonly firstSeenAt: number
  /** Start of the last run, whatever came of it. */
  readonly lastAttemptAt?: number
  readonly lastSuccessAt?: number
  readonly lastFailureAt?: number
  readonly pendingRetryUntil?: number
  /** How many runs have served the last occurrence; only of tasks with a retry policy. */
  readonly attempt?: number
  /** The instance that has started a run whose end is not recorded. */
  readonly runningBy?: string
}
