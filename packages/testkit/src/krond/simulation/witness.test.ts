import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActiveState, StateEvent } from '@kron/host'
import { Life } from './fault-plan.ts'
import { entriesOf } from './places.ts'
import { Witness } from './witness.ts'

const [ENTRY] = entriesOf(['*/20 * * * * name=job command=/bin/true'])
const { identity } = ENTRY!
const PERIOD = '2027-01-16T20:40:00Z'
const INTENT: ActiveState = {
  PeriodID: PERIOD,
  PID: 0,
  StartedAt: '',
  ChosenTime: PERIOD,
  ExecutionID: 'execution-1',
  BootID: 'boot-1',
  BootTime: 0,
  ProcessStart: 0,
}
const HANDLED = { HandledThrough: '2027-01-16T20:39:19Z', HandledPeriods: [PERIOD] }
const INTENDED: StateEvent = { kind: 'intended', execution: INTENT }
const STARTED: StateEvent = {
  kind: 'started',
  executionId: 'execution-1',
  pid: 0,
  processStart: 0,
  startedAt: PERIOD,
  seedHash: '',
  handled: HANDLED,
}
const MISSED: StateEvent = {
  kind: 'notExecuted',
  periods: [{ outcome: 'missed', periodId: PERIOD, chosenTime: PERIOD, reason: 'deadline', seedHash: '' }],
  at: '2027-01-16T20:29:49Z',
  handled: HANDLED,
}
/** The state file was written before the period, because the clock was set back. */
const WRITTEN = Date.parse('2027-01-16T20:29:49Z')

function newWitness(): Witness {
  const life = new Life()
  return new Witness({ life: () => life, now: () => WRITTEN, monotonic: () => 0, maxConcurrent: 1 })
}

test('a witness knows from records alone that a period is over, also one that counts as executed without a run', () => {
  for (const events of [[INTENDED, STARTED], [MISSED]]) {
    const witness = newWitness()
    assert.equal(witness.outran(identity, ENTRY, WRITTEN), false)
    for (const event of events) witness.recorded(identity, event)
    assert.equal(witness.outran(identity, ENTRY, WRITTEN), true)
  }
})

test('a witness knows it from the journal if the daemon died before it knew that its record was durable', () => {
  const witness = newWitness()
  witness.recorded(identity, INTENDED)
  witness.found({ Identity: identity, Seq: 3, Event: STARTED })
  assert.equal(witness.outran(identity, ENTRY, WRITTEN), true)
})

test('a prepared start alone does not make a period over', () => {
  const witness = newWitness()
  witness.recorded(identity, INTENDED)
  assert.equal(witness.outran(identity, ENTRY, WRITTEN), false)
})

test('an outcome in the history of a state does not change which faults are injected', () => {
  const witness = newWitness()
  witness.outcome(identity, PERIOD, 'executed')
  assert.equal(witness.outran(identity, ENTRY, WRITTEN), false)
})

test('a start that is taken back too late is judged by the definition under which it was held', () => {
  const witness = newWitness()
  const [changed] = entriesOf(['5 * * * * name=job command=/bin/true'])
  const started = (executionId: string) => ({ entry: ENTRY!, executionId, nominal: 0, chosen: 0 })
  witness.configured([ENTRY!])
  witness.held('execution-1')
  witness.configured([changed!])
  witness.held('execution-2')
  assert.equal(witness.definitionOf(started('execution-1')), changed)
  for (const each of ['execution-1', 'execution-2']) witness.takenBackTooLate(each)
  assert.equal(witness.definitionOf(started('execution-1')), ENTRY)
  assert.equal(witness.definitionOf(started('execution-2')), changed)
  assert.equal(witness.definitionOf(started('execution-3')), changed)
})
