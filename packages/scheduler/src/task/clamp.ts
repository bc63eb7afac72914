import type { TaskRecord } from './record.ts'

/** A clock may be an hour or a zone wrong; what lies further ahead can only be a mistake that must not last. */
export const FARTHEST_AHEAD = 25 * 3_600_000

/** Now, or an instant that the clock has shown before it was set back a little. */
export const notBefore = (earlier: number, now: number): number =>
  earlier > now && earlier - now <= FARTHEST_AHEAD ? earlier : now

/** The record as if its last start were now, if the clock has since been set back by more than 25 hours. */
export function clampToClock(record: TaskRecord, now: number): TaskRecord | undefined {
  const reached = record.lastAttemptAt ?? record.firstSeenAt
  const ahead = reached - now
  if (ahead <= FARTHEST_AHEAD) return undefined
  const retryAt = record.pendingRetryUntil
  return {
    ...record,
    firstSeenAt: Math.min(record.firstSeenAt, now),
    ...(record.lastAttemptAt !== undefined && { lastAttemptAt: now }),
    // A retry before the last start was planned when the clock had been set back already.
    ...(retryAt !== undefined && retryAt >= reached && { pendingRetryUntil: retryAt - ahead }),
  }
}
