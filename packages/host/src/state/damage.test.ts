import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IncompatibleStateError, isHandled } from '@kron/core'
import { advance } from './advance.ts'
import { handledOf, type State } from './state.ts'
import { printState, readState } from './state-document.ts'

const IDENTITY = '/etc/krond.d/a.kron:job'
const [FIRST, SECOND, THIRD] = [0, 1, 2].map(minute => `2026-03-01T00:0${minute}:00Z`) as [
  string,
  string,
  string,
]
const handled = (through: string) => ({ HandledThrough: through, HandledPeriods: [] })
const execution = (period: string, id: string) => ({
  PeriodID: period,
  PID: 0,
  StartedAt: '',
  ChosenTime: period,
  ExecutionID: id,
  BootID: 'boot',
  BootTime: 1,
  ProcessStart: 0,
  Launcher: 'shim/1',
  Claims: 'claims',
})

/** A job that ran one period, missed the next and runs the third. */
function busyState(): State {
  let state = advance(undefined, IDENTITY, {
    kind: 'seen',
    firstSeen: FIRST,
    handled: handled('2026-02-28T23:59:00Z'),
  })
  const step = (event: Parameters<typeof advance>[2]): void => {
    state = advance(state, IDENTITY, event)
  }
  const started = { kind: 'started', pid: 77, processStart: 5, shimPid: 76, seedHash: 'abc' } as const
  step({ kind: 'intended', execution: execution(FIRST, 'one') })
  step({ ...started, executionId: 'one', startedAt: FIRST, handled: handled(FIRST) })
  step({ kind: 'finished', executionId: 'one', completedAt: FIRST, exitCode: 0 })
  const missed = {
    outcome: 'missed',
    periodId: SECOND,
    chosenTime: SECOND,
    reason: 'deadline',
    seedHash: 'abc',
  } as const
  step({ kind: 'notExecuted', periods: [missed], at: SECOND, handled: handled(SECOND) })
  step({ kind: 'intended', execution: execution(THIRD, 'two') })
  step({ ...started, executionId: 'two', startedAt: THIRD, handled: handled(THIRD) })
  return state
}

test('what is printed is read again as it was', () => {
  const state = busyState()
  assert.deepEqual(readState(printState(state), IDENTITY, 0), { kind: 'state', state })
})

test('every single flipped bit of a state file is noticed', () => {
  const bytes = Buffer.from(printState(busyState()))
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = Buffer.from(bytes)
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    const { kind } = readState(damaged.toString(), IDENTITY, 0)
    assert.equal(
      kind,
      'corrupt',
      `bit ${bit & 7} of byte ${bit >> 3}: ${JSON.stringify(String(damaged).slice((bit >> 3) - 20, (bit >> 3) + 20))}`,
    )
  }
})

test('a truncated file, and one with text after its end, are noticed', () => {
  const text = printState(busyState())
  for (let length = 0; length < text.length; length++)
    assert.equal(readState(text.slice(0, length), IDENTITY, 0).kind, 'corrupt', `${length} bytes`)
  assert.equal(readState(`${text} `, IDENTITY, 0).kind, 'corrupt')
})

test('a file without a checksum, as older versions wrote it, is valid', () => {
  const state = busyState()
  assert.deepEqual(readState(`${JSON.stringify(state, null, 1)}\n`, IDENTITY, 0), { kind: 'state', state })
})

test('a right checksum with a required field missing is an incompatible state', () => {
  const { LastOutcome: _, ...rest } = busyState()
  assert.throws(() => readState(printState(rest as State), IDENTITY, 0), IncompatibleStateError)
})

test('a period is handled if any trace says so, whatever the watermark says', () => {
  const seconds = (time: string): number => Date.parse(time) / 1_000
  const state = { ...busyState(), HandledThrough: '2026-02-28T00:00:00Z', HandledPeriods: [] }
  for (const period of [FIRST, SECOND, THIRD]) assert.ok(isHandled(handledOf(state), seconds(period)), period)
  assert.ok(!isHandled(handledOf(state), seconds('2026-03-01T00:03:00Z')))
  const again = advance(state, IDENTITY, { kind: 'intended', execution: execution(FIRST, 'three') })
  assert.equal(again.ConcurrentExecutions.length, 0, 'an executed period gets no second intent')
})

test('an intent is no trace: after it was withdrawn the period may run', () => {
  const before = advance(undefined, IDENTITY, {
    kind: 'seen',
    firstSeen: FIRST,
    handled: handled('2026-02-28T23:59:00Z'),
  })
  const intended = advance(before, IDENTITY, { kind: 'intended', execution: execution(FIRST, 'one') })
  assert.ok(!isHandled(handledOf(intended), Date.parse(FIRST) / 1_000))
})
