import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstHandled, markHandled, type Outcome, printInstant } from '@kron/core'
import { instant, scheduleOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { advance, applyRecord, DEFAULT_HISTORY } from './advance.ts'
import { type ActiveState, activeOf, handledOf, handledRecordOf, type State } from './state.ts'
import { type StateEvent, seen } from './state-event.ts'

const SCHEDULE = scheduleOf('@hourly @win(after,5h)')
const FIRST = instant('2026-03-01T00:00:00Z')
const BEGIN = advance(undefined, 'prod/db', seen(firstHandled(SCHEDULE, FIRST)))

const period = (n: number): string => printInstant(FIRST + n * 3_600)
const chosen = (n: number): string => printInstant(FIRST + n * 3_600 + 1_800)

const intent = (n: number, id = `e${n}`): ActiveState => ({
  PeriodID: period(n),
  PID: 0,
  StartedAt: '',
  ChosenTime: chosen(n),
  ExecutionID: id,
  BootID: 'boot',
  BootTime: 5,
  ProcessStart: 0,
})
const handledAfter = (state: State, ...ns: number[]) =>
  handledRecordOf(
    markHandled(
      handledOf(state),
      ns.map(n => FIRST + n * 3_600),
      SCHEDULE,
    ),
  )

const intended = (n: number, id?: string): StateEvent => ({ kind: 'intended', execution: intent(n, id) })
const started = (state: State, n: number, id = `e${n}`): StateEvent => ({
  kind: 'started',
  executionId: id,
  pid: 100 + n,
  processStart: 7,
  startedAt: chosen(n),
  seedHash: `seed ${n}`,
  handled: handledAfter(state, n),
})
const finished = (n: number, exitCode: number | null = 0): StateEvent => ({
  kind: 'finished',
  executionId: `e${n}`,
  completedAt: chosen(n + 1),
  exitCode,
})
const notExecuted = (state: State, outcome: Exclude<Outcome, 'executed'>, ...ns: number[]): StateEvent => ({
  kind: 'notExecuted',
  at: chosen(ns.at(-1)!),
  handled: handledAfter(state, ...ns),
  periods: ns.map(n => ({
    outcome,
    periodId: period(n),
    chosenTime: outcome === 'unschedulable' ? '' : chosen(n),
    reason: `because ${n}`,
    seedHash: `seed ${n}`,
  })),
})

/** Applies events, some of which depend on the state they meet. */
const after = (...events: (StateEvent | ((state: State) => StateEvent))[]): State =>
  events.reduce(
    (state, each) => advance(state, 'prod/db', typeof each === 'function' ? each(state) : each),
    BEGIN,
  )

test('a job begins with having been seen', () => {
  assert.deepEqual(BEGIN, {
    Version: '1',
    Identity: 'prod/db',
    Seq: 1,
    FirstSeen: '2026-03-01T00:00:00Z',
    HandledThrough: '2026-02-28T18:59:59Z',
    HandledPeriods: [],
    LastHandledPeriodID: '',
    LastOutcome: '',
    LastReason: '',
    LastChosenTime: '',
    LastNominalTime: '',
    LastRunTime: '',
    LastExitCode: null,
    SeedHash: '',
    ActiveExecution: null,
    ConcurrentExecutions: [],
    History: [],
  })
})

test('an execution is intended, started and finished', () => {
  const meant = after(intended(0))
  assert.deepEqual(meant, { ...BEGIN, Seq: 2, ActiveExecution: intent(0) })

  const running = after(intended(0), state => started(state, 0))
  assert.deepEqual(running, {
    ...BEGIN,
    Seq: 3,
    HandledPeriods: [period(0)],
    LastHandledPeriodID: period(0),
    LastOutcome: 'executed',
    LastChosenTime: chosen(0),
    LastNominalTime: period(0),
    LastRunTime: chosen(0),
    SeedHash: 'seed 0',
    ActiveExecution: { ...intent(0), PID: 100, ProcessStart: 7, StartedAt: chosen(0) },
  })

  assert.deepEqual(
    advance(running, 'prod/db', { ...finished(0, 3), signal: 'SIGTERM', reason: 'timeout' } as StateEvent),
    {
      ...running,
      Seq: 4,
      ActiveExecution: null,
      LastExitCode: 3,
      History: [
        {
          PeriodID: period(0),
          Outcome: 'executed',
          NominalTime: period(0),
          ChosenTime: chosen(0),
          CompletedAt: chosen(1),
          ExitCode: 3,
          Reason: 'timeout',
          Signal: 'SIGTERM',
          StartedAt: chosen(0),
        },
      ],
    },
  )
})

test('periods that did not run are recorded together, and touch no execution', () => {
  const state = after(
    intended(0),
    each => started(each, 0),
    each => notExecuted(each, 'missed', 1, 2),
  )
  assert.equal(state.ActiveExecution?.PeriodID, period(0))
  assert.deepEqual(
    [state.LastHandledPeriodID, state.LastOutcome, state.LastReason, state.LastChosenTime, state.SeedHash],
    [period(2), 'missed', 'because 2', chosen(2), 'seed 2'],
  )
  assert.deepEqual(
    state.History.map(({ PeriodID, Outcome, ExitCode, Reason }) => ({ PeriodID, Outcome, ExitCode, Reason })),
    [1, 2].map(n => ({ PeriodID: period(n), Outcome: 'missed', ExitCode: null, Reason: `because ${n}` })),
  )
})

test('an intent that was withdrawn leaves its period open, a started execution stays', () => {
  const withdrawn: StateEvent = { kind: 'withdrawn', executionId: 'e0', at: chosen(0) }
  const open = after(intended(0), withdrawn)
  assert.deepEqual(open, { ...BEGIN, Seq: 3 })
  assert.equal(advance(open, 'prod/db', intended(0, 'again')).ActiveExecution?.ExecutionID, 'again')
  assert.equal(after(intended(0), state => started(state, 0), withdrawn).ActiveExecution?.ExecutionID, 'e0')
})

test('a second execution waits among the concurrent ones, and moves up when the first ends', () => {
  const both = after(
    intended(0),
    state => started(state, 0),
    intended(1),
    state => started(state, 1),
  )
  assert.deepEqual(
    [both.ActiveExecution?.ExecutionID, both.ConcurrentExecutions.map(each => each.ExecutionID)],
    ['e0', ['e1']],
  )
  const one = advance(both, 'prod/db', finished(0))
  assert.deepEqual([one.ActiveExecution?.ExecutionID, one.ConcurrentExecutions], ['e1', []])
})

test('an adopted execution is known once, and its period handled at the latest when it ends', () => {
  const adopted: StateEvent = { kind: 'adopted', execution: { ...intent(3), PID: 9, StartedAt: chosen(3) } }
  const state = after(adopted, adopted)
  assert.equal(activeOf(state).length, 1)
  assert.deepEqual(advance(state, 'prod/db', finished(3, null)).HandledPeriods, [period(3)])
})

test('what finished counts as handled, even if its start was never recorded', () => {
  const state = after(intended(0), finished(0, null))
  assert.deepEqual(activeOf(advance(state, 'prod/db', intended(0, 'again'))), [])
})

test('a watermark never falls, and a raised one forgets nothing above it', () => {
  const state = after(intended(8), each => started(each, 8))
  const lower: StateEvent = {
    kind: 'seen',
    firstSeen: period(0),
    handled: { HandledThrough: period(0), HandledPeriods: [] },
  }
  const raised = advance(state, 'prod/db', lower)
  assert.deepEqual([raised.HandledThrough, raised.HandledPeriods], [period(0), [period(8)]])
  const fallen = advance(raised, 'prod/db', {
    ...lower,
    handled: { HandledThrough: '2020-01-01T00:00:00Z', HandledPeriods: [] },
  })
  assert.deepEqual([fallen.HandledThrough, fallen.HandledPeriods], [period(0), [period(8)]])
})

test('a job whose state was taken away owes nothing before the event', () => {
  const state = advance(undefined, 'prod/db', intended(4))
  assert.equal(state.HandledThrough, '2026-03-01T03:59:59Z')
  assert.equal(state.ActiveExecution?.PeriodID, period(4))
  assert.equal(advance(undefined, 'prod/db', finished(4)).HandledThrough, chosen(5))
})

test('a record is applied once', () => {
  const record = { Identity: 'prod/db', Seq: 2, Event: intended(0) }
  const state = applyRecord(BEGIN, record)
  assert.equal(state.Seq, 2)
  assert.equal(applyRecord(state, record), state)
  assert.equal(applyRecord(BEGIN, { ...record, Seq: 9 }).Seq, 9)
})

/** Any event about the periods 0 to 9, sensible or not, with a handled record that may be out of date. */
const anyEvent: fc.Arbitrary<(state: State) => StateEvent> = fc
  .record({
    kind: fc.constantFrom('intended', 'adopted', 'withdrawn', 'started', 'finished', 'notExecuted', 'seen'),
    n: fc.nat(9),
    stale: fc.boolean(),
    outcome: fc.constantFrom('skipped' as const, 'missed' as const, 'unschedulable' as const),
  })
  .map(({ kind, n, stale, outcome }) => state => {
    const known = stale ? BEGIN : state
    switch (kind) {
      case 'intended':
        return intended(n)
      case 'adopted':
        return { kind, execution: { ...intent(n), PID: 9, StartedAt: chosen(n) } }
      case 'withdrawn':
        return { kind, executionId: `e${n}`, at: chosen(n) }
      case 'started':
        return started(known, n)
      case 'finished':
        return finished(n)
      case 'notExecuted':
        return notExecuted(known, outcome, n)
      default:
        return {
          kind: 'seen',
          firstSeen: period(n),
          handled: { HandledThrough: period(n - 5), HandledPeriods: [] },
        }
    }
  })

test('whatever happens, in whatever order, no period gets two outcomes and nothing handled is forgotten', () => {
  fc.assert(
    fc.property(
      fc.array(anyEvent, { maxLength: 60 }),
      fc.constantFrom(0, 3, DEFAULT_HISTORY),
      (events, history) => {
        let state = BEGIN
        const outcomes = new Map<string, Outcome>()
        for (const eventOf of events) {
          const before = state
          const event = eventOf(before)
          state = advance(before, 'prod/db', event, history)
          assert.equal(state.Seq, before.Seq + 1)
          assert.ok(state.HandledThrough >= before.HandledThrough)
          for (const each of before.HandledPeriods) {
            assert.ok(
              each <= state.HandledThrough || state.HandledPeriods.includes(each),
              `${each} was forgotten`,
            )
          }
          const active = activeOf(state)
          assert.equal(new Set(active.map(each => each.ExecutionID)).size, active.length)
          assert.equal(state.ActiveExecution === null, active.length === 0)
          assert.ok(state.History.length <= history)
          assert.equal(state.FirstSeen, BEGIN.FirstSeen)
          const last = state.LastHandledPeriodID
          if (event.kind === 'started' || event.kind === 'notExecuted') {
            if (state.LastOutcome !== before.LastOutcome || last !== before.LastHandledPeriodID) {
              assert.ok(
                !outcomes.has(last) || outcomes.get(last) === state.LastOutcome,
                `${last} was ${outcomes.get(last)}`,
              )
              outcomes.set(last, state.LastOutcome as Outcome)
            }
          }
        }
        if (history < DEFAULT_HISTORY) return
        const recorded = state.History.filter(each => each.Outcome !== 'executed').map(each => each.PeriodID)
        assert.equal(new Set(recorded).size, recorded.length, 'a period was recorded twice')
      },
    ),
    { numRuns: 3_000, seed: 1 },
  )
})

test('the history keeps the most recent entries', () => {
  let state = BEGIN
  for (let n = 0; n < 8; n++) state = advance(state, 'prod/db', notExecuted(state, 'missed', n), 3)
  assert.deepEqual(
    state.History.map(each => each.PeriodID),
    [period(5), period(6), period(7)],
  )
})

test('jobs that are first seen in one second share their first event only if it is equal', () => {
  const wide = scheduleOf('@hourly @win(after,6h)')
  const event = seen(firstHandled(SCHEDULE, FIRST))
  assert.equal(seen(firstHandled(SCHEDULE, FIRST)), event)
  assert.notDeepEqual(seen(firstHandled(wide, FIRST)), event)
  assert.notDeepEqual(seen(firstHandled(SCHEDULE, FIRST + 1)), event)
  assert.deepEqual(seen(firstHandled(SCHEDULE, FIRST)), event)
  const handled = { ...firstHandled(SCHEDULE, FIRST), above: [FIRST] }
  assert.deepEqual(seen(handled), {
    kind: 'seen',
    firstSeen: printInstant(FIRST),
    handled: handledRecordOf(handled),
  })
})
