import { decide, reopenSwept } from '@kron/core'
import type { ClockJump } from '@kron/runtime'
import * as events from '../log/event.ts'
import { takeBack } from './ahead.ts'
import { type Moment, secondOf, timeOf } from './moment.ts'
import { reopeningOf } from './record.ts'
import { JUMP_MS, NEVER, visit } from './schedule.ts'
import { type DriverState, emit, record } from './state.ts'

/** Notes that the clock was set, or the machine slept, since the last message: the alarm may not have noticed yet. */
export function noticeSlip(state: DriverState, { offsetMs }: Moment): void {
  if (offsetMs - state.offsetMs > JUMP_MS) state.hasSlipped = true
  // serve itself cancels the starts that it holds, but not one whose message was on its way when the clock was set back:
  // by the new clock it would start too early.
  if (state.offsetMs - offsetMs > JUMP_MS && state.offsetMs < NEVER)
    for (const each of state.attempts.occupying()) takeBack(state, each)
  state.offsetMs = offsetMs
}

/** The alarm noticed that the clock was set, or that the machine slept. */
export function clockJumped(state: DriverState, { kind, by }: ClockJump, now: Moment): void {
  emit(state, events.clockJumped(kind, by))
  state.clockJump = { at: secondOf(now), byMs: kind === 'forward' ? by : -by }
  state.rangAt = undefined
  state.hasSlipped = false
  state.isAlarmStale = true
  if (kind === 'forward') state.hasJumped = (state.due.nextAt() ?? NEVER) <= timeOf(now)
  else {
    reopen(state, state.jobs.slots(), now)
    for (const slot of state.jobs.slots()) visit(state, slot, now)
  }
}

/** The clock may have been ahead: periods yet to come that were not handled one by one are owed again. */
export function reopen(state: DriverState, slots: Iterable<number>, now: Moment): void {
  const { jobs, reopened } = state
  const second = secondOf(now)
  let count = 0
  for (const slot of slots) {
    const entry = jobs.entry(slot)
    if (entry === undefined) continue
    const handled = jobs.handled(slot)
    const chosenOf = (nominal: number): number | null => decide(entry, nominal, state.settings.hash).chosen
    const again = reopenSwept(handled, entry.schedule, second, chosenOf)
    if (again === handled) continue
    jobs.setHandled(slot, again)
    record(state, slot, entry.identity, reopeningOf(again, second))
    count++
  }
  if (count === 0) return
  reopened.jobs += count
  reopened.at = second
  emit(state, events.periodsReopened(count))
}
