/** What a task does. What it returns is awaited. */
export type Callback = () => unknown

/** How long to wait after a failure: milliseconds, `'5m'`, `'PT5M'`, a `Temporal.Duration` or a Luxon one. */
export type RetryDelay = number | string | MillisDuration | TotalDuration

/** Luxon's `Duration`, and whatever else can tell its milliseconds. */
export interface MillisDuration {
  toMillis(): number
}

/** `Temporal.Duration`. */
export interface TotalDuration {
  total(unit: 'milliseconds'): number
}

/** Name, POSIX cron expression, callback, retry delay. */
export type Registration = readonly [name: string, cron: string, callback: Callback, retryDelay: RetryDelay]
