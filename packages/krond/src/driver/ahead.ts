import { triggerOf, turn } from '@kron/core'
import { type Entry, pauseAt } from '@kron/host'
import type { Attempt } from './attempt.ts'
import { type DriverState, hasRoom } from './state.ts'

/**
 * A start is prepared this long before its second: judged, its intent durable, its command handed to `serve`, which
 * holds it. At the second itself only the claim and the fork are left.
 */
export const LEAD_MS = 500

const LEAD_SECONDS = LEAD_MS / 1_000

/** When to look at a job that is due at this second: early enough to prepare a start, if there is time for that at `time`. */
export const attentionAt = (second: number, time: number): number =>
  second - LEAD_SECONDS > time ? second - LEAD_SECONDS : second

/** Whether a second that is yet to come at `time`, in epoch seconds, is so near that a start in it is prepared. */
export const isNear = (second: number, time: number): boolean =>
  second > time && second - time <= LEAD_SECONDS

/**
 * Whether the job will certainly start at this second, as far as is known now. Everything else (a skip, a replacement, a
 * place in the queue) depends on what happens until then, and is judged at the second itself.
 */
export function isPlainStart(state: DriverState, slot: number, entry: Entry, second: number): boolean {
  const { attempts, jobs, pauses, settings } = state
  if (attempts.of(slot).length > 0 || !hasRoom(state)) return false
  if (pauses.length > 0 && pauseAt(pauses, entry.identity, second) !== undefined) return false
  const { outcomes, start } = turn({
    job: entry,
    handled: jobs.handled(slot),
    attempts: [],
    active: [],
    room: true,
    now: second,
    catchingUp: false,
    hash: settings.hash,
  })
  return outcomes.length === 0 && start !== undefined && triggerOf(start) === second
}

/** Whether the attempt was handed to `serve` before its time, and not taken back. */
export const isHeld = ({ stage }: Attempt): boolean => stage.phase === 'intended' && stage.hold === 'held'

/** Takes a start back that has been prepared: the reason for it may be gone. If its time comes first, it goes on. */
export function takeBack(state: DriverState, attempt: Attempt): void {
  const { stage } = attempt
  if (stage.phase !== 'intended' || stage.hold !== 'held') return
  state.attempts.move(attempt, { ...stage, hold: 'takenBack' })
  state.effects.push({ kind: 'cancel', executionId: stage.executionId })
}
