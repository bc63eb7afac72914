import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, printInstant } from '@kron/core'
import {
  assertNoneTwice,
  HOURLY,
  job,
  machineWith,
  outcomes,
  T0,
} from '@kron/testkit/krond/conformance/scenario'
import { entriesOf, JOB_FILE } from '@kron/testkit/krond/simulation/machine'

const FOREVER = Number.POSITIVE_INFINITY

test('EXECUTION Startup: state is loaded and every job has its next trigger before the loop begins', async () => {
  const lines = [job(`${HOURLY} @win(after,30m)`, 'a'), job('30 2 * * *', 'b')]
  const machine = await machineWith(lines)
  const { driver } = machine.daemon!
  const planned = [...driver.jobs.slots()].map(slot => driver.nextTrigger(slot))
  const expected = entriesOf(lines).map((entry, i) => decide(entry, i === 0 ? T0 : T0 + 9_000).chosen)
  assert.deepEqual(planned, expected)
})

test('EXECUTION Scheduler Loop: jobs start in the order of their chosen times, whatever the order of the files', async () => {
  const lines = Array.from({ length: 40 }, (_, i) => job(`${HOURLY} @win(after,50m)`, `job-${i}`))
  const machine = await machineWith(lines)
  await machine.run(3_600)
  const { started } = machine.processes
  assert.equal(started.length, 40)
  for (const each of started) assert.equal(printInstant(Math.floor(each.startedAt / 1_000)), each.chosenTime)
})

test('EXECUTION Scheduler Loop: an idle daemon wakes at most once a minute', async () => {
  const machine = await machineWith([job('0 0 1 1 *')])
  await machine.run(5)
  let wakes = 0
  const { setTimer } = machine.clock
  machine.clock.setTimer = (milliseconds, fire) =>
    setTimer.call(machine.clock, milliseconds, () => {
      wakes++
      fire()
    })
  await machine.run(3_600)
  assert.ok(wakes <= 61, `${wakes} wake-ups in an hour`)
})

test('EXECUTION Job Identity: <config_path>:<name> is what seeds, state and log go by', async () => {
  const machine = await machineWith([job(HOURLY)])
  await machine.run(60)
  const identity = `${JOB_FILE}:a`
  assert.equal((await machine.state('a'))!.Identity, identity)
  const decision = machine.events.find(each => each.event === 'decision')
  assert.equal(decision?.identity, identity)
  assert.equal(machine.processes.started[0]!.identity, identity)
})

test('EXECUTION Concurrency Handling: forbid logs the event and marks the period as skipped', async () => {
  const machine = await machineWith([job('* * * * *')])
  machine.processes.behave = () => ({ lives: FOREVER })
  await machine.run(95)
  const event = machine.events.find(each => each.event === 'skipped_concurrency')
  assert.deepEqual([event?.level, event?.['outcome']], ['info', 'skipped'])
  assert.deepEqual(await outcomes(machine), ['2026-03-01T00:01:00Z skipped concurrency'])
})

test('EXECUTION Timeout Handling: counted per execution, logged, and recorded as the reason', async () => {
  const machine = await machineWith([job('*/5 * * * *', 'a', 'timeout=1m')])
  machine.processes.behave = ({ nominal }) => ({ lives: nominal === T0 ? FOREVER : 30_000 })
  await machine.run(400)
  assert.equal(machine.events.filter(each => each.event === 'timed_out').length, 1)
  assert.deepEqual(await outcomes(machine), [
    '2026-03-01T00:00:00Z executed timeout',
    '2026-03-01T00:05:00Z executed',
  ])
})

test('EXECUTION Timeout Handling: an adopted execution keeps the time it has used', async () => {
  const line = job(HOURLY, 'a', 'timeout=10m')
  const machine = await machineWith([line])
  machine.processes.behave = () => ({ lives: FOREVER })
  await machine.run(330)
  machine.crash()
  await machine.boot([line])
  await machine.run(290)
  assert.equal(machine.processes.started[0]!.alive, true)
  await machine.run(20)
  assert.equal(machine.processes.started[0]!.alive, false)
})

test('EXECUTION Timeout Handling: what survives SIGKILL is an ERROR, and still counts as running', async () => {
  const machine = await machineWith([job('*/5 * * * *', 'a', 'timeout=1m')])
  machine.processes.behave = () => ({ lives: FOREVER, ignoresSignals: true })
  await machine.run(400)
  const error = machine.events.find(each => each.event === 'error')
  assert.deepEqual([error?.['errorType'], error?.['operation']], ['ExecutionError', 'end'])
  assert.deepEqual(await outcomes(machine), ['2026-03-01T00:05:00Z skipped concurrency'])
})

test('EXECUTION Missed Period Handling: without a deadline only future periods are scheduled', async () => {
  const machine = await machineWith([job(HOURLY)])
  machine.crash()
  await machine.run(600)
  await machine.boot([job(HOURLY)])
  await machine.run(3_600)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T01:00:00Z'])
})

test('EXECUTION Missed Period Handling: within the deadline it runs at once, and only one period', async () => {
  const line = job('*/10 * * * * @policy(deadline=2h)')
  const machine = await machineWith([line])
  machine.crash()
  await machine.run(3_600)
  await machine.boot([line])
  await machine.run(5)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:50:00Z'])
})

test('EXECUTION Signal Handling: a stop takes no new triggers, waits for what runs and persists its end', async () => {
  const machine = await machineWith([job('* * * * *')])
  machine.processes.behave = () => ({ lives: 100_000 })
  await machine.run(40)
  const stopped = machine.stop()
  await machine.run(200)
  await stopped
  assert.equal(machine.ran().length, 1)
  assert.deepEqual(await outcomes(machine), ['2026-03-01T00:00:00Z executed'])
})

test('EXECUTION Signal Handling: a reload preserves active executions, of removed jobs too', async () => {
  const lines = [job(HOURLY, 'kept'), job(HOURLY, 'gone')]
  const machine = await machineWith(lines)
  machine.processes.behave = () => ({ lives: 300_000 })
  await machine.run(60)
  await machine.reload([job('30 * * * *', 'kept')])
  assert.equal(machine.daemon!.driver.runningCount, 2)
  await machine.reload(lines)
  await machine.run(400)
  assert.equal(machine.ran().length, 2)
  for (const name of ['kept', 'gone'])
    assert.deepEqual(await outcomes(machine, name), ['2026-03-01T00:00:00Z executed'])
})

test('EXECUTION Signal Handling: a job that could not start follows its new command after a reload', async () => {
  const machine = await machineWith([job(`${HOURLY} @policy(deadline=30m)`)])
  machine.processes.behave = ({ entry }) => (entry.command === '/bin/true' ? 'refuse' : { lives: 1_000 })
  await machine.run(120)
  assert.deepEqual(machine.ran(), [])
  await machine.reload([`${HOURLY} @policy(deadline=30m) name=a command=/bin/right`])
  await machine.run(2)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z'])
})

test('EXECUTION Determinism Guarantee: the chosen time is the same in every life of the daemon', async () => {
  const line = job('*/20 * * * * @win(after,15m) @dist(normal)')
  const machine = await machineWith([line])
  for (let life = 0; life < 6; life++) {
    await machine.run(1_200)
    machine.crash()
    await machine.boot([line])
  }
  const [entry] = entriesOf([line])
  for (const { periodId, chosenTime } of machine.processes.started) {
    const nominal = Date.parse(periodId) / 1_000
    assert.equal(chosenTime, printInstant(decide(entry!, nominal).chosen!))
  }
  assert.ok(machine.ran().length > 3)
})

test('EXECUTION Performance Model: thousands of entries due together all start in their second', async () => {
  const lines = Array.from({ length: 3_000 }, (_, i) => job(HOURLY, `job-${i}`))
  const machine = await machineWith(lines)
  await machine.run(40)
  assert.equal(machine.ran().length, 3_000)
  for (const each of machine.processes.started) assert.equal(Math.floor(each.startedAt / 1_000), T0)
})

test('EXECUTION Failure Guarantees 2 and 3: restart after restart, nothing is backfilled and nothing repeated', async () => {
  const line = job('*/5 * * * * @policy(deadline=1h)')
  const machine = await machineWith([line])
  for (let life = 0; life < 12; life++) {
    await machine.run(120 + life * 60)
    machine.crash()
    await machine.run(life * 200)
    const before = machine.ran().length
    await machine.boot([line])
    await machine.run(1)
    assert.ok(machine.ran().length <= before + 1, 'at most one period is caught up with')
  }
  assertNoneTwice(machine)
})

test('EXECUTION Failure Guarantees 4 and 5: a command that fails is recorded and not run again', async () => {
  const machine = await machineWith([job(`${HOURLY} @policy(deadline=30m)`)])
  machine.processes.behave = () => ({ lives: 1_000, exitCode: 9 })
  await machine.run(1_800)
  assert.equal(machine.ran().length, 1)
  const finished = machine.events.find(each => each.event === 'finished')
  assert.deepEqual([finished?.level, finished?.['exitCode']], ['warn', 9])
  assert.equal((await machine.state('a'))!.LastExitCode, 9)
})
