import { pauseAt } from '@kron/host'
import type { Attempt } from './attempt.ts'
import type { Look } from './look.ts'
import type { DriverState } from './state.ts'

/** Whether a start may be prepared for this second: neither an attempt nor a pause of the job can get in its way. */
export const mayPrepare = (
  { attempts, pauses }: DriverState,
  { slot, entry }: Look,
  second: number,
): boolean => attempts.of(slot).length === 0 && pauseAt(pauses, entry.identity, second) === undefined

/** Whether the attempt was handed to `serve` before its time, and not taken back. */
export const isHeld = ({ stage }: Attempt): boolean => stage.phase === 'intended' && stage.hold === 'held'

/** Takes a start back that has been prepared: the reason for it may be gone. If its time comes first, it goes on. */
export function takeBack(state: DriverState, attempt: Attempt): void {
  const { stage } = attempt
  if (stage.phase !== 'intended' || stage.hold !== 'held') return
  state.attempts.move(attempt, { ...stage, hold: 'takenBack' })
  state.effects.push({ kind: 'cancel', executionId: stage.executionId })
}
