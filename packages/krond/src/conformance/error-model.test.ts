import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, PersistenceError, SchedulingError } from '@kron/core'
import {
  assertNoneTwice,
  HOURLY,
  job,
  machineWith,
  outcomes,
  T0,
} from '@kron/testkit/krond/conformance/scenario'
import { entriesOf } from '@kron/testkit/krond/simulation/machine'
import { fieldOf } from '../log/event.ts'

const SOON = `${HOURLY} @policy(deadline=30m)`

test('ERROR-MODEL SchedulingError: logged, nothing handled, tried again, and the same decision afterwards', async () => {
  const line = job(`${HOURLY} @win(after,10m) @policy(deadline=1h)`)
  let broken = true
  const machine = await machineWith([line], {
    hash: text => {
      if (broken) throw new SchedulingError('the hash failed', { component: 'core', operation: 'hash' })
      return text
    },
  })
  await machine.run(120)
  const error = machine.events.find(each => each.event === 'error')
  assert.deepEqual([error?.level, error?.['errorType']], ['error', 'SchedulingError'])
  assert.equal((await machine.state('a'))!.LastHandledPeriodID, '')
  broken = false
  machine.hash = undefined
  await machine.run(700)
  const [entry] = entriesOf([line])
  const expected = decide(entry!, T0).chosen
  assert.equal(Date.parse(machine.processes.started[0]!.chosenTime) / 1_000, expected)
})

test('ERROR-MODEL Unschedulable Condition: WARN, handled, not tried again', async () => {
  const machine = await machineWith([job(`${HOURLY} @win(after,10m) @only(hours=5) @policy(deadline=1h)`)])
  await machine.run(1_800)
  const found = machine.events.filter(each => each.event === 'constraint_unsatisfiable')
  assert.deepEqual(
    found.map(each => each.level),
    ['warn'],
  )
  assert.deepEqual(await outcomes(machine), ['2026-03-01T00:00:00Z unschedulable constraints'])
})

test('ERROR-MODEL ExecutionError: no process, so not executed: unhandled until the deadline, then missed', async () => {
  const machine = await machineWith([job(SOON)])
  machine.processes.behave = () => 'refuse'
  await machine.run(1_700)
  const state = (await machine.state('a'))!
  assert.deepEqual([state.LastHandledPeriodID, state.ActiveExecution], ['', null])
  await machine.run(200)
  const [missed] = await outcomes(machine)
  assert.match(missed!, /^2026-03-01T00:00:00Z missed cannot run .*: no such file/)
})

test('ERROR-MODEL ExecutionError: when nobody can tell whether a process was created, it counts as executed', async () => {
  const machine = await machineWith([job(SOON)])
  machine.processes.behave = () => 'lose'
  await machine.run(1_900)
  assert.equal(machine.ran().length, 1)
  assert.deepEqual(await outcomes(machine), ['2026-03-01T00:00:00Z executed unknown'])
})

test('ERROR-MODEL ExecutionError: a non-zero exit is executed, recorded and not retried', async () => {
  const machine = await machineWith([job(SOON)])
  machine.processes.behave = () => ({ lives: 1_000, exitCode: 1 })
  await machine.run(1_900)
  assert.equal(machine.ran().length, 1)
  assert.equal((await machine.state('a'))!.History[0]!.ExitCode, 1)
})

test('ERROR-MODEL PersistenceError: any failed write is fatal, kills what is not on record, and nothing runs twice', async () => {
  const calm = await machineWith([job(SOON)])
  await calm.run(60)
  const steps = calm.steps
  let fatal = 0
  for (let step = 1; step <= steps; step++) {
    const machine = await machineWith([job(SOON)], { failAt: step })
    await machine.run(60)
    if (machine.fatal !== undefined) {
      fatal++
      assert.ok(machine.fatal instanceof PersistenceError, `step ${step}: ${machine.fatal}`)
    }
    machine.crash()
    machine.failAt = Number.POSITIVE_INFINITY
    await machine.boot([job(SOON)])
    assert.equal(machine.fatal, undefined, `step ${step}`)
    await machine.run(60)
    await machine.stop()
    assertNoneTwice(machine)
  }
  assert.ok(fatal > 10, `${fatal} of ${steps} failures were fatal`)
})

test('ERROR-MODEL Deadline Interaction: missed is an outcome at INFO, not an error', async () => {
  const machine = await machineWith([job(HOURLY)])
  machine.crash()
  await machine.run(600)
  await machine.boot([job(HOURLY)])
  await machine.run(5)
  const missed = machine.events.find(each => each.event === 'missed_deadline')
  assert.equal(missed?.level, 'info')
  assert.ok(!machine.events.some(each => each.event === 'error'))
})

test('ERROR-MODEL Clock Anomalies: a jump is no error; backward is WARN, and handled periods stay handled', async () => {
  const machine = await machineWith([job('*/10 * * * * @policy(deadline=5m)')])
  await machine.run(700)
  machine.clock.jump(-1_800_000)
  await machine.run(3_600)
  const jump = machine.events.find(each => each.event === 'clock_jump')
  assert.deepEqual([jump?.level, jump?.['direction']], ['warn', 'backward'])
  assert.ok(!machine.events.some(each => each.event === 'error'))
  assertNoneTwice(machine)
})

test('ERROR-MODEL Retry Rules: retries keep the decision and its chosen time', async () => {
  const machine = await machineWith([job(`${HOURLY} @win(after,10m) @policy(deadline=30m)`)])
  let refusals = 5
  machine.processes.behave = () => (refusals-- > 0 ? 'refuse' : { lives: 1_000 })
  await machine.run(1_800)
  assert.equal(machine.events.filter(each => each.event === 'decision').length, 1)
  const retries = machine.events.filter(each => each.event === 'reschedule')
  assert.deepEqual(
    retries.map(each => each['tries']),
    [1, 2, 3, 4, 5],
  )
  assert.equal(
    machine.processes.started[0]!.chosenTime,
    machine.events.find(each => each.event === 'decision')!['chosenTime'],
  )
})

test('ERROR-MODEL Error Logging Contract: every error line has its six fields', async () => {
  const machine = await machineWith([job(SOON)])
  machine.processes.behave = () => 'refuse'
  await machine.run(60)
  const errors = machine.events.filter(each => each.event === 'error')
  assert.ok(errors.length > 1)
  for (const error of errors) {
    for (const field of ['identity', 'periodId', 'component', 'errorType', 'operation', 'message'])
      assert.ok(fieldOf(error, field), field)
    assert.equal(error.level, 'error')
  }
})

test('ERROR-MODEL Non-Fatal Conditions: a job that fails in every way leaves its neighbour alone', async () => {
  const lines = [job(SOON, 'bad'), job(`${HOURLY} @only(hours=5)`, 'never'), job('*/10 * * * *', 'good')]
  const machine = await machineWith(lines)
  machine.processes.behave = ({ entry }) => (entry.name === 'bad' ? 'refuse' : { lives: 1_000, exitCode: 1 })
  await machine.run(3_500)
  assert.equal(machine.ran().filter(each => each.startsWith('good')).length, 6)
})

test('ERROR-MODEL Invariants Under Error 4: nothing starts beyond its deadline, however it was held up', async () => {
  const lines = ['a', 'b'].map(name => job(`${HOURLY} @policy(deadline=1m)`, name))
  const machine = await machineWith(lines, { maxConcurrent: 1 })
  machine.processes.behave = () => ({ lives: 61_000 })
  await machine.run(600)
  assert.equal(machine.ran().length, 1)
})

test('ERROR-MODEL Invariants Under Error 5: after a fatal write nothing is scheduled', async () => {
  const machine = await machineWith([job('* * * * *')])
  machine.failAt = machine.steps + 1
  await machine.run(600)
  assert.ok(machine.fatal instanceof PersistenceError)
  assert.equal(machine.ran().length, 0)
})

test('KROND --max-concurrent: places are counted once, so that as many run as may', async () => {
  const lines = Array.from({ length: 20 }, (_, i) => job(`${HOURLY} @policy(deadline=1h)`, `job-${i}`))
  const machine = await machineWith(lines, { maxConcurrent: 10 })
  machine.processes.behave = () => ({ lives: 600_000 })
  await machine.run(40)
  assert.equal(machine.daemon!.driver.runningCount, 10)
  assert.equal(machine.daemon!.driver.waiting.length, 10)
})

test('KROND Observation: at DEBUG every step of a decision is told, and only there', async () => {
  const line = job(`${HOURLY} @win(after,40m) @avoid(between=00:00-00:20)`)
  const quiet = await machineWith([line])
  await quiet.run(3_000)
  assert.ok(!quiet.events.some(each => each.event === 'sample'))
  const machine = await machineWith([line], { debug: true })
  await machine.run(3_000)
  const told = (event: string) => machine.events.filter(each => each.event === event)
  const decision = told('decision')[0]!
  assert.equal(fieldOf(told('seed_computed')[0]!, 'seedHash'), fieldOf(decision, 'seedHash'))
  assert.equal(told('sample').length, fieldOf(decision, 'attemptCount'))
  assert.equal(told('constraint_reject').length, Number(fieldOf(decision, 'attemptCount')) - 1)
  assert.equal(fieldOf(told('sample').at(-1)!, 'candidate'), fieldOf(decision, 'chosenTime'))
  for (const each of [...told('sample'), ...told('constraint_reject')]) assert.equal(each.level, 'debug')
})
