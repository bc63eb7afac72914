import { type ClockJump, LEAST_JUMP_MS } from '@kron/runtime'
import { type Moment, secondOf, timeOf } from './moment.ts'

/** For this many seconds, jobs woken by the same alarm are judged at the alarm's time. */
const LONGEST_JUDGING_SECONDS = 10

/** The driver's knowledge of the clock and of its alarm. The functions of this file return the next value. */
export interface ClockState {
  readonly course: Course
  /** The alarm rang at this time, in epoch seconds, and some of the jobs that it woke are not judged yet. */
  readonly rangAt: number | undefined
  /**
   * `stale`: the driver sets the alarm again at the end of the message, because a job was judged or the clock jumped. It
   * sets the alarm even to the same time, because setting it also looks for a jump of the clock.
   */
  readonly alarm: 'set' | 'stale'
  /** The clock's offset at the last message; undefined before the first. */
  readonly offsetMs: number | undefined
  /** The last jump that the alarm noticed: when, in epoch seconds of the new time, and its size. */
  readonly lastJump: { readonly at: number; readonly byMs: number } | undefined
}

/**
 * Whether periods may have passed unseen, because the clock was set forward or the machine slept:
 *
 * - `steady`: no.
 * - `slipped`: the clock has moved forward, and the alarm has not noticed. Waiting attempts catch up if they go on now.
 * - `jumped`: the alarm has noticed it, and some of the jobs that became due are not judged yet. They catch up, and
 *   waiting attempts too.
 * - `caughtUp`: all of them are judged. Waiting attempts still catch up, until the alarm rings again.
 *
 * A waiting attempt waits for a place, or for the end of the runs that it replaces.
 */
export type Course = 'steady' | 'slipped' | 'jumped' | 'caughtUp'

export const NEW_CLOCK: ClockState = {
  course: 'steady',
  rangAt: undefined,
  alarm: 'set',
  offsetMs: undefined,
  lastJump: undefined,
}

/** Whether the jobs that the alarm wakes catch up. */
export const dueJobsCatchUp = ({ course }: ClockState): boolean => course === 'jumped'

/** Whether an attempt that has waited catches up when it goes on. */
export const waitingAttemptsCatchUp = ({ course }: ClockState): boolean => course !== 'steady'

/** How the clock has moved against monotonic time since it had this offset. */
export function movementSince(
  beforeMs: number | undefined,
  { offsetMs }: Moment,
): 'forward' | 'backward' | 'none' {
  const byMs = beforeMs === undefined ? 0 : offsetMs - beforeMs
  if (Math.abs(byMs) < LEAST_JUMP_MS) return 'none'
  return byMs > 0 ? 'forward' : 'backward'
}

/** A message has come at this moment. */
export function movedOn(clock: ClockState, now: Moment): ClockState {
  const hasSlipped = movementSince(clock.offsetMs, now) === 'forward' && clock.course !== 'jumped'
  return { ...clock, offsetMs: now.offsetMs, course: hasSlipped ? 'slipped' : clock.course }
}

/** The alarm has noticed a jump; the first job is due at `next`. After a jump backward, all jobs are judged at once. */
export function jumped(
  clock: ClockState,
  { kind, by }: ClockJump,
  next: number | undefined,
  now: Moment,
): ClockState {
  const isAnyDue = next !== undefined && next <= timeOf(now)
  const forward = isAnyDue ? 'jumped' : 'steady'
  return {
    ...clock,
    course: kind === 'forward' ? forward : whenAllAreJudged(clock.course),
    rangAt: undefined,
    alarm: 'stale',
    lastJump: { at: secondOf(now), byMs: kind === 'forward' ? by : -by },
  }
}

/** The time at which due jobs are judged: the alarm's, so that no job misses its deadline because others were judged first. */
export function judgingTime({ rangAt }: ClockState, now: Moment): number {
  const time = timeOf(now)
  return rangAt !== undefined && time - rangAt <= LONGEST_JUDGING_SECONDS ? rangAt : time
}

/** The alarm has rung, and jobs that were due at `time` were judged, perhaps not all; the first job is due at `next` now. */
export function rang(clock: ClockState, time: number, next: number | undefined, now: Moment): ClockState {
  const isLeft = next !== undefined && next <= time
  // The alarm wakes some jobs half a second early. If the second of a job passes while others are judged, `rangAt` becomes
  // that second. So the next `wake` judges this job at its own second, not late.
  const isSameSecond = next !== undefined && next <= Math.min(Math.ceil(time), timeOf(now))
  return {
    ...clock,
    course: isLeft && clock.course === 'jumped' ? 'jumped' : whenAllAreJudged(clock.course),
    rangAt: isLeft ? time : isSameSecond ? next : undefined,
    alarm: 'stale',
  }
}

const whenAllAreJudged = (course: Course): Course => (course === 'jumped' ? 'caughtUp' : 'steady')

/** The time of the next look at a job may have changed. */
export const alarmOutdated = (clock: ClockState): ClockState =>
  clock.alarm === 'stale' ? clock : { ...clock, alarm: 'stale' }

/** The alarm was set. */
export const alarmSet = (clock: ClockState): ClockState => ({ ...clock, alarm: 'set' })
