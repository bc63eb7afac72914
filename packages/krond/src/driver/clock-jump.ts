import { decide, reopenSwept } from '@kron/core'
import type { ClockJump } from '@kron/runtime'
import * as events from '../log/event.ts'
import { takeBack } from './ahead.ts'
import { dueJobsCatchUp, jumped, movedOn, movementSince } from './clock-state.ts'
import { type Moment, secondOf } from './moment.ts'
import { reopeningOf } from './record.ts'
import { visit } from './schedule.ts'
import { type DriverState, emit, record } from './state.ts'

/** Notes whether the clock was set, or the machine slept, since the last message: the alarm may not have noticed yet. */
export function noticeMovement(state: DriverState, now: Moment): void {
  // serve itself cancels the starts that it holds, but not one whose message was on its way when the clock was set back:
  // by the new clock it would start too early.
  if (movementSince(state.clock.offsetMs, now) === 'backward')
    for (const each of state.attempts.occupying()) takeBack(state, each)
  state.clock = movedOn(state.clock, now)
}

/** The alarm noticed that the clock was set, or that the machine slept. */
export function clockJumped(state: DriverState, jump: ClockJump, now: Moment): void {
  emit(state, events.clockJumped(jump.kind, jump.by))
  const catchingUp = dueJobsCatchUp(state.clock)
  state.clock = jumped(state.clock, jump, state.due.nextAt(), now)
  if (jump.kind === 'forward') return
  const reopened = reopen(state, state.jobs.slots(), now)
  // Some of the periods that are open again may be late: the clock was ahead when their seconds came.
  for (const slot of state.jobs.slots())
    visit(state, slot, now, { catchingUp: catchingUp || reopened.has(slot) })
}

/**
 * If the clock was ahead, future periods may have been swept. They become unhandled again. Periods with a recorded
 * outcome stay handled. Returns the jobs that have changed: those with such periods, and those first seen in the future.
 */
export function reopen(state: DriverState, slots: Iterable<number>, now: Moment): ReadonlySet<number> {
  const { jobs, reopened } = state
  const second = secondOf(now)
  const changed = new Set<number>()
  for (const slot of slots) {
    const entry = jobs.entry(slot)
    if (entry === undefined) continue
    const handled = jobs.handled(slot)
    const chosenOf = (nominal: number): number | null => decide(entry, nominal, state.settings.hash).chosen
    const again = reopenSwept(handled, entry.schedule, second, chosenOf)
    if (again === handled) continue
    jobs.setHandled(slot, again)
    record(state, slot, entry.identity, reopeningOf(again, second))
    changed.add(slot)
  }
  if (changed.size === 0) return changed
  reopened.jobs += changed.size
  reopened.at = second
  emit(state, events.periodsReopened(changed.size))
  return changed
}
