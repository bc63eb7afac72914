import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHandled } from '@kron/core'
import { advance } from './advance.ts'
import { activeManualOf, handledOf, type ManualRun, type State } from './state.ts'
import { printState, readState } from './state-document.ts'
import type { StateEvent } from './state-event.ts'

const IDENTITY = '/etc/krond.d/a.kron:job'
const FIRST = '2026-03-01T00:00:00Z'
const handled = { HandledThrough: '2026-02-28T23:59:00Z', HandledPeriods: [] }
const request = (id: string): ManualRun => ({
  RequestID: id,
  User: 'ada',
  PeriodID: '',
  PID: 0,
  StartedAt: '',
  ChosenTime: FIRST,
  ExecutionID: `execution-${id}`,
  BootID: 'boot',
  BootTime: 1,
  ProcessStart: 0,
  Launcher: 'shim/1',
  Claims: 'claims',
})
const requested = (id: string): StateEvent => ({ kind: 'requested', run: request(id) })
const started = (id: string): StateEvent => ({
  kind: 'started',
  executionId: `execution-${id}`,
  pid: 7,
  processStart: 8,
  shimPid: 6,
  startedAt: FIRST,
  seedHash: '',
  handled,
})
const finished = (id: string): StateEvent => ({
  kind: 'finished',
  executionId: `execution-${id}`,
  completedAt: '2026-03-01T00:00:09Z',
  exitCode: 3,
})
const after = (events: readonly StateEvent[], history?: number): State =>
  events.reduce<State | undefined>(
    (state, event) => advance(state, IDENTITY, event, history),
    advance(undefined, IDENTITY, { kind: 'seen', firstSeen: FIRST, handled }),
  )!

test('a manual run is recorded with its user and its end, and handles no period', () => {
  const running = after([requested('one'), started('one')])
  assert.deepEqual(
    activeManualOf(running).map(({ PID, StartedAt, User }) => [PID, StartedAt, User]),
    [[7, FIRST, 'ada']],
  )
  const state = advance(running, IDENTITY, finished('one'))
  assert.deepEqual(activeManualOf(state), [])
  assert.deepEqual(
    state.ManualRuns?.map(({ CompletedAt, ExitCode }) => [CompletedAt, ExitCode]),
    [['2026-03-01T00:00:09Z', 3]],
  )
  assert.deepEqual([state.LastOutcome, state.History, state.ActiveExecution], ['', [], null])
  assert.equal(isHandled(handledOf(state), Date.parse(FIRST) / 1_000), false)
})

test('a request id counts once, and an intent that came to nothing leaves no trace', () => {
  assert.equal(after([requested('one'), requested('one')]).ManualRuns?.length, 1)
  const withdrawn: StateEvent = { kind: 'withdrawn', executionId: 'execution-one', at: FIRST }
  assert.equal('ManualRuns' in after([requested('one'), withdrawn]), false)
  assert.equal(after([requested('one'), started('one'), withdrawn]).ManualRuns?.length, 1)
})

test('as many ended manual runs are kept as history entries, and every one that runs', () => {
  const ids = ['a', 'b', 'c']
  const ended = ids.flatMap(id => [requested(id), started(id), finished(id)])
  const ofState = (state: State) => state.ManualRuns?.map(each => each.RequestID)
  assert.deepEqual(ofState(after([requested('x'), started('x'), ...ended], 2)), ['x', 'b', 'c'])
  assert.deepEqual(ofState(after([requested('x'), started('x'), ...ended], 0)), ['x'])
})

test('a state with manual runs is read as it was written', () => {
  for (const events of [
    [requested('one')],
    [requested('one'), started('one'), finished('one'), requested('b')],
  ]) {
    const state = after(events)
    assert.deepEqual(readState(printState(state), IDENTITY, 0), { kind: 'state', state })
  }
})
