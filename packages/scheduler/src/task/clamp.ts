import type { TaskRecord } from './record.ts'

/** A clock may be wrong by an hour or a time zone. A time further ahead is a mistake and must not persist. */
export const FARTHEST_AHEAD = 25 * 3_600_000

/** Now, or the earlier reading of the clock if it was set back by at most 25 hours since. */
export const neverBack = (earlier: number, now: number): number =>
  earlier > now && earlier - now <= FARTHEST_AHEAD ? earlier : now

/** The record with its last start moved to now, if the clock was set back by more than 25 hours since. */
export function clampToClock(record: TaskRecord, now: number): TaskRecord | undefined {
  const reached = record.lastAttemptAt ?? record.firstSeenAt
  const ahead = reached - now
  if (ahead <= FARTHEST_AHEAD) return undefined
  // A task that never ran is first seen now, so it owes this minute.
  const { firstMinuteWaived: _, ...rest } = record
  const retryAt = record.pendingRetryUntil
  return {
    ...rest,
    firstSeenAt: Math.min(record.firstSeenAt, now),
    ...(record.lastAttemptAt !== undefined && { lastAttemptAt: now }),
    // A retry time earlier than the last start was computed after the clock was set back, so it is right and stays.
    ...(retryAt !== undefined && retryAt >= reached && { pendingRetryUntil: retryAt - ahead }),
  }
}
