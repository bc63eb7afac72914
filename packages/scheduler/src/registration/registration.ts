/** The context of a run, passed to its callback. */
export interface RunContext {
  /** Aborted when the run exceeds its `timeout`, or `stopGrace` after `stop()`. */
  readonly signal: AbortSignal
  /** The name of the task. */
  readonly name: string
  /** 1 for the first run that serves an occurrence, 2 for its first retry, and so on. */
  readonly attempt: number
  /** The occurrence that the run serves, in epoch milliseconds. */
  readonly scheduledFor: number
}

/** The function of a task. Its return value is awaited. */
export type Callback = (context: RunContext) => unknown

/** A duration: milliseconds, `'5m'`, `'PT5M'`, a `Temporal.Duration` or a Luxon `Duration`. */
export type DurationLike = number | string | MillisDuration | TotalDuration

/** The delay between a failure and its retry. */
export type RetryDelay = DurationLike

/** The rules for retries after failures, and the time limit of a run. */
export interface RetryPolicy {
  /** The delay before the first retry. */
  readonly delay: DurationLike
  /** Each further delay is the previous one times this factor. The default is 1. */
  readonly factor?: number
  /** The upper limit of a delay. */
  readonly max?: DurationLike
  /** The largest number of retries before the task waits for its next occurrence. Unlimited if absent. */
  readonly limit?: number
  /** The time limit of a run. Its signal is aborted after this time. */
  readonly timeout?: DurationLike
}

/** Luxon's `Duration`, or any object with a `toMillis` method. */
export interface MillisDuration {
  toMillis(): number
}

/** `Temporal.Duration`. */
export interface TotalDuration {
  total(unit: 'milliseconds'): number
}

/** Name, schedule, callback and retry rules. The schedule is a POSIX cron expression unless `schedules` is `kron`. */
export type Registration = readonly [
  name: string,
  schedule: string,
  callback: Callback,
  retry: RetryDelay | RetryPolicy,
]
