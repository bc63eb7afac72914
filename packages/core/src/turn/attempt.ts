/**
 * An attempt at one period: judged, but without a final outcome. `nominal` names the period.
 *
 * - `queued`: it may start and waits for room.
 * - `replacing`: it was in time; older runs of the job have to end first, and it needs room.
 * - `intended`: its start is under way, neither confirmed nor refused.
 * - `running`: it has started, so its period is handled.
 * - `retrying`: its start was certainly refused and is tried again at `retryAt`.
 */
export type PeriodAttempt =
  | { readonly phase: 'queued'; readonly nominal: number }
  | { readonly phase: 'replacing'; readonly nominal: number }
  | { readonly phase: 'intended'; readonly nominal: number }
  | { readonly phase: 'running'; readonly nominal: number }
  | { readonly phase: 'retrying'; readonly nominal: number; readonly retryAt: number }

/** For this long after its deadline a replacement may wait for the runs that it replaces. */
export const REPLACE_LIMIT_SECONDS = 300

/** Whether the attempt cannot be taken back: judging the period anew would start it twice. */
export const isUnderWay = (attempt: PeriodAttempt | undefined): boolean =>
  attempt?.phase === 'intended' || attempt?.phase === 'running' || attempt?.phase === 'replacing'
