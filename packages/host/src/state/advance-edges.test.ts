import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advance, DEFAULT_HISTORY } from './advance.ts'
import { type ActiveState, activeOf, type State } from './state.ts'
import type { StateEvent } from './state-event.ts'

const time = (hour: number): string => `2026-03-01T0${hour}:00:00Z`

const seen = (firstSeen: number, through: number, ...above: number[]): StateEvent => ({
  kind: 'seen',
  firstSeen: time(firstSeen),
  handled: { HandledThrough: time(through), HandledPeriods: above.map(time) },
})
const execution = (hour: number): ActiveState => ({
  PeriodID: time(hour),
  PID: 7,
  StartedAt: time(hour),
  ChosenTime: time(hour),
  ExecutionID: `e${hour}`,
  BootID: 'boot',
  BootTime: 1,
  ProcessStart: 2,
})
const after = (...events: StateEvent[]): State =>
  events.reduce<State | undefined>((state, event) => advance(state, 'a', event), undefined)!

test('a job begins with its first record, and is responsible from the watermark it is given', () => {
  const state = after(seen(5, 3))
  assert.equal(state.Seq, 1)
  assert.equal(state.HandledThrough, time(3))
})

test('the period at the watermark itself is handled: it is not intended again', () => {
  const state = after(seen(3, 3), { kind: 'intended', execution: { ...execution(3), StartedAt: '' } })
  assert.deepEqual(activeOf(state), [])
  assert.equal(activeOf(after(seen(3, 3), { kind: 'intended', execution: execution(4) })).length, 1)
})

test('what the watermark reaches leaves the set above it', () => {
  const state = after(seen(2, 2, 4, 6), seen(2, 4))
  assert.equal(state.HandledThrough, time(4))
  assert.deepEqual(state.HandledPeriods, [time(6)])
})

const skipped = (hour: number): StateEvent => ({
  kind: 'notExecuted',
  periods: [
    { outcome: 'skipped', periodId: time(hour), chosenTime: time(hour), reason: 'concurrency', seedHash: '' },
  ],
  at: time(hour),
  handled: { HandledThrough: time(1), HandledPeriods: [] },
})

test('a process that is adopted shows its period as executed if it is a later one', () => {
  const { LastOutcome, LastHandledPeriodID } = after(seen(1, 1), skipped(4), {
    kind: 'adopted',
    execution: execution(5),
  })
  assert.deepEqual([LastOutcome, LastHandledPeriodID], ['executed', time(5)])
})

test('a process that is found though its period has an outcome is watched, and the outcome stays', () => {
  const found = after(seen(1, 1), skipped(4), { kind: 'adopted', execution: execution(4) })
  assert.equal(found.ActiveExecution?.PeriodID, time(4))
  assert.equal(found.LastOutcome, 'skipped')
  const { ExecutionID: executionId } = execution(4)
  const ended = advance(found, found.Identity, {
    kind: 'finished',
    executionId,
    completedAt: time(6),
    exitCode: 0,
  })
  assert.equal(ended.ActiveExecution, null)
  assert.deepEqual(
    ended.History.map(each => each.Outcome),
    ['skipped'],
  )
})

test('so it does where no history is kept', () => {
  const events = [seen(1, 1), skipped(4), { kind: 'adopted', execution: execution(4) }] satisfies StateEvent[]
  const ending = { kind: 'finished', executionId: 'e4', completedAt: time(6), exitCode: 0 } as const
  const state = [...events, ending].reduce<State | undefined>(
    (at, event) => advance(at, 'a', event, 0),
    undefined,
  )!
  assert.deepEqual([state.LastOutcome, state.LastExitCode, state.History], ['skipped', null, []])
})

test('a process that is adopted does not hide a later period', () => {
  const state = after(seen(1, 1), skipped(4), { kind: 'adopted', execution: execution(3) })
  assert.deepEqual([state.LastOutcome, state.LastHandledPeriodID], ['skipped', time(4)])
  assert.deepEqual(state.HandledPeriods, [time(3), time(4)])
})

test('a process that is adopted gives the last period its outcome, if that has none', () => {
  const unknown: State = { ...after(seen(1, 1)), LastHandledPeriodID: time(4) }
  const found = advance(unknown, 'a', { kind: 'adopted', execution: execution(4) })
  assert.deepEqual([unknown.LastOutcome, found.LastOutcome], ['', 'executed'])
})

test('the last fifty outcomes are kept, unless another number is asked for', () => {
  const minute = (n: number): string => `2026-03-01T05:${String(n).padStart(2, '0')}:00Z`
  const missed: StateEvent[] = Array.from({ length: 60 }, (_, n) => ({
    kind: 'notExecuted',
    periods: [
      { outcome: 'missed', periodId: minute(n), chosenTime: minute(n), reason: 'deadline', seedHash: '' },
    ],
    at: minute(n),
    handled: { HandledThrough: time(1), HandledPeriods: [] },
  }))
  const { History } = after(seen(1, 1), ...missed)
  assert.deepEqual([History.length, History[0]!.PeriodID], [50, minute(10)])
})

test('fifty outcomes are kept', () => {
  assert.equal(DEFAULT_HISTORY, 50)
})
