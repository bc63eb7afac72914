import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstHandled, type Handled, isHandled, markHandled, next, printInstant } from '@kron/core'
import { instant, scheduleOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { advance } from './advance.ts'
import { planReset } from './reset.ts'
import { handledOf, handledRecordOf, type State } from './state.ts'
import { printState, readState } from './state-document.ts'
import { type StateEvent, seen } from './state-event.ts'

const SCHEDULE = scheduleOf('@hourly')
const FIRST = instant('2026-03-01T00:00:00Z')
const at = (hour: number): number => FIRST + hour * 3_600
const id = (hour: number): string => printInstant(at(hour))
const BEGIN = advance(undefined, 'a', seen(firstHandled(SCHEDULE, FIRST - 1)))

const missed = (state: State, hour: number): State =>
  advance(state, 'a', {
    kind: 'notExecuted',
    at: id(hour),
    handled: handledRecordOf(markHandled(handledOf(state), [at(hour)], SCHEDULE)),
    periods: [
      { outcome: 'missed', periodId: id(hour), chosenTime: id(hour), reason: 'deadline', seedHash: '' },
    ],
  })

const intended = (hour: number): StateEvent => ({
  kind: 'intended',
  execution: {
    PeriodID: id(hour),
    PID: 0,
    StartedAt: '',
    ChosenTime: id(hour),
    ExecutionID: `e${hour}`,
    BootID: 'b',
    BootTime: 1,
    ProcessStart: 0,
  },
})

function executed(state: State, hour: number, isEnded = true): State {
  const meant = advance(state, 'a', intended(hour))
  const started = advance(meant, 'a', {
    kind: 'started',
    executionId: `e${hour}`,
    pid: 7,
    processStart: 7,
    startedAt: id(hour),
    seedHash: '',
    handled: handledRecordOf(markHandled(handledOf(meant), [at(hour)], SCHEDULE)),
    keepUntil: id(hour),
  })
  const end = { kind: 'finished', executionId: `e${hour}`, completedAt: id(hour), exitCode: 0 } as const
  return isEnded ? advance(started, 'a', end) : started
}

/** The state after a reset that must not be refused. */
function reset(state: State, to: number, force = false): State {
  const plan = planReset(state, SCHEDULE, to, force)
  assert.equal(plan.kind, 'reset')
  if (plan.kind !== 'reset') return state
  const { handled, forgotten } = plan
  const firstSeen = printInstant(handled.firstSeen)
  const event = {
    kind: 'reopened',
    at: id(9),
    firstSeen,
    handled: handledRecordOf(handled),
    forgotten,
  } as const
  return advance(state, 'a', event)
}

test('a missed period is owed again, its entry stays in the history, and the last outcome is the one before', () => {
  const state = missed(executed(BEGIN, 0), 1)
  const after = reset(state, at(0))
  assert.equal(isHandled(handledOf(after), at(1)), false)
  assert.equal(isHandled(handledOf(after), at(0)), true)
  assert.deepEqual([after.LastHandledPeriodID, after.LastOutcome], [id(0), 'executed'])
  assert.deepEqual(
    after.History.map(each => [each.PeriodID, each.Forgotten]),
    [
      [id(0), undefined],
      [id(1), true],
    ],
  )
  assert.deepEqual(readState(printState(after), 'a', 0), { kind: 'state', state: after })
  const again = executed(after, 1)
  assert.deepEqual([again.LastHandledPeriodID, again.LastOutcome], [id(1), 'executed'])
  assert.equal(isHandled(handledOf(again), at(1)), true)
})

test('an executed period is not forgotten without force', () => {
  const state = executed(missed(BEGIN, 0), 1)
  assert.deepEqual(planReset(state, SCHEDULE, at(0), false), { kind: 'refused', executed: [id(1)] })
  assert.equal(isHandled(handledOf(reset(state, at(0), true)), at(1)), false)
})

test('a period that is no longer in the history may have been executed', () => {
  const state = { ...executed(missed(BEGIN, 0), 1), History: [] }
  assert.equal(planReset(state, SCHEDULE, at(0), false).kind, 'refused')
})

test('a period whose run goes on stays handled, even by force', () => {
  const state = executed(missed(BEGIN, 0), 1, false)
  for (const force of [false, true]) {
    const after = reset(state, at(0) - 1, force)
    assert.equal(isHandled(handledOf(after), at(0)), false)
    assert.equal(isHandled(handledOf(after), at(1)), true)
    assert.equal(after.ActiveExecution?.PeriodID, id(1))
  }
})

test('periods that a wrong clock swept over are owed again, and nothing is to be done if there are none', () => {
  const year = FIRST + 365 * 86_400
  const swept = markHandled(handledOf(executed(BEGIN, 0)), [], SCHEDULE, year)
  const state: State = { ...executed(BEGIN, 0), ...handledRecordOf(swept) }
  const after = reset(state, at(2))
  assert.equal(isHandled(handledOf(after), at(2)), true)
  assert.equal(isHandled(handledOf(after), at(3)), false)
  assert.deepEqual(planReset(after, SCHEDULE, at(2), false), { kind: 'nothing' })
})

test('a period from before the first sight may have been executed, whether or not one of them was recorded', () => {
  const schedule = scheduleOf('@hourly @win(after,3h)')
  const begin = advance(undefined, 'a', seen(firstHandled(schedule, at(0) + 60)))
  const handled = markHandled(handledOf(begin), [at(-1)], schedule)
  const state = advance(begin, 'a', {
    kind: 'notExecuted',
    at: id(0),
    handled: handledRecordOf(handled),
    periods: [{ outcome: 'missed', periodId: id(-1), chosenTime: id(-1), reason: 'deadline', seedHash: '' }],
  })
  for (const each of [begin, state]) assert.equal(planReset(each, schedule, at(-9), false).kind, 'refused')
  assert.equal(planReset(state, schedule, at(-2), false).kind, 'reset')
})

test('whatever was handled, a reset without force never opens an executed period, and opens every other one', () => {
  const outcome = fc.constantFrom('executed', 'missed', 'swept', 'open')
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 12 }), fc.nat(12), fc.boolean(), (outcomes, hour, force) => {
      let state = BEGIN
      outcomes.forEach((each, n) => {
        if (each === 'executed') state = executed(state, n)
        if (each === 'missed') state = missed(state, n)
        if (each !== 'swept') return
        const handled: Handled = markHandled(handledOf(state), [], SCHEDULE, at(n))
        state = { ...state, ...handledRecordOf(handled) }
      })
      const ran = outcomes.flatMap((each, n) => (each === 'executed' && n > hour ? [at(n)] : []))
      const plan = planReset(state, SCHEDULE, at(hour), force)
      if (plan.kind === 'refused') return assert.ok(!force && ran.length > 0)
      if (!force) assert.deepEqual(ran, [])
      if (plan.kind === 'nothing') return
      for (let n = next(SCHEDULE.cron, SCHEDULE.zone, at(hour)); n !== undefined && n < at(14); )
        n = assert.equal(isHandled(plan.handled, n), false) ?? next(SCHEDULE.cron, SCHEDULE.zone, n)
    }),
  )
})
