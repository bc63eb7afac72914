/**
 * A start is prepared this long before its second: krond judges it, makes its intent durable and hands its command to
 * `serve`, which forks the run. At the second itself, only the name of the claim and the exec are left.
 */
const LEAD_SECONDS = 0.5

/**
 * When to look at a job that is due at this second: half a second before it, so that its start can be prepared. If that
 * is past at `time`, the second itself.
 */
export const attentionAt = (second: number, time: number): number =>
  second - LEAD_SECONDS > time ? second - LEAD_SECONDS : second

/** Whether a second that is yet to come at `time`, in epoch seconds, is so near that a start in it is prepared. */
export const isNear = (second: number, time: number): boolean =>
  second > time && second - time <= LEAD_SECONDS
