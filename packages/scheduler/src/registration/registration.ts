/** What a callback is told about its run. */
export interface RunContext {
  /** Aborted when the run takes longer than its `timeout`, and `stopGrace` after `stop()`. */
  readonly signal: AbortSignal
  /** The task's. */
  readonly name: string
  /** 1 for the first run that serves an occurrence, 2 for its first retry, and so on. */
  readonly attempt: number
  /** The occurrence that the run serves, in epoch milliseconds. */
  readonly scheduledFor: number
}

/** What a task does. What it returns is awaited. */
export type Callback = (context: RunContext) => unknown

/** A span of time: milliseconds, `'5m'`, `'PT5M'`, a `Temporal.Duration` or a Luxon one. */
export type DurationLike = number | string | MillisDuration | TotalDuration

/** How long to wait after a failure. */
export type RetryDelay = DurationLike

/** How to go on after failures, and how long a run may take. */
export interface RetryPolicy {
  /** Before the first retry. */
  readonly delay: DurationLike
  /** Each further delay is so many times the one before; 1 if absent. */
  readonly factor?: number
  /** No delay is longer. */
  readonly max?: DurationLike
  /** How many retries there are at most before the task waits for its next occurrence; without end if absent. */
  readonly limit?: number
  /** After so long the run's signal is aborted. */
  readonly timeout?: DurationLike
}

/** Luxon's `Duration`, and whatever else can tell its milliseconds. */
export interface MillisDuration {
  toMillis(): number
}

/** `Temporal.Duration`. */
export interface TotalDuration {
  total(unit: 'milliseconds'): number
}

/** Name, schedule, callback, and how to retry. The schedule is a POSIX cron expression unless `schedules` says otherwise. */
export type Registration = readonly [
  name: string,
  schedule: string,
  callback: Callback,
  retry: RetryDelay | RetryPolicy,
]
