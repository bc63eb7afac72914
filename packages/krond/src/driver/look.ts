import type { TurnInput } from '@kron/core'
import type { Entry } from '@kron/host'
import { activeRuns, periodAttempts } from './attempt.ts'
import type { Moment } from './moment.ts'
import { type DriverState, hasRoom } from './state.ts'

/** One look at a job: the time at which it is judged, and how much it may do. */
export interface Look {
  readonly slot: number
  readonly entry: Entry
  /** The job is judged as of this time, in epoch seconds. */
  readonly time: number
  readonly now: Moment
  /** Whether `time` is a second that is yet to come: only a plain start in it is prepared. */
  readonly isAhead: boolean
  /** Whether periods may have passed unseen. */
  readonly catchingUp: boolean
  /** At most this many runs begin. */
  readonly mostStarts: number
}

/** The whole second at which the job is judged. */
export const judgedSecond = ({ time }: Look): number => Math.floor(time)

/** Everything that core's `turn` needs to know for this look, in which so many runs have begun already. */
export function turnInput(state: DriverState, look: Look, starts: number): TurnInput {
  const { slot, entry, catchingUp, mostStarts } = look
  const attempts = state.attempts.of(slot)
  return {
    job: entry,
    handled: state.jobs.handled(slot),
    attempts: periodAttempts(attempts),
    active: activeRuns(attempts),
    room: starts < mostStarts && hasRoom(state),
    now: judgedSecond(look),
    catchingUp,
    hash: state.settings.hash,
  }
}
