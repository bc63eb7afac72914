import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoneTwice, at, job, machineWith, outcomes } from '@kron/testkit/krond/conformance/scenario'

const REPLACING = job('*/10 * * * * @policy(deadline=20m,concurrency=replace)')
const MINUTE = 60

/** A machine on which the replacement of 00:10 waits until the old execution has ended. */
async function replacingSlowly() {
  const machine = await machineWith([REPLACING, job('* * * * *', 'other')], { everyWakeUp: true })
  machine.processes.behave = ({ entry }) => ({ lives: entry.name === 'a' ? 3_600_000 : 100 })
  await machine.run(40)
  machine.processes.lingers = () => 2 * MINUTE * 1_000
  await machine.run(10 * MINUTE)
  return machine
}

const ofA = (ran: readonly string[]): readonly string[] => ran.filter(each => each.startsWith('a '))

test('a clock set back while an execution is replaced leaves the job its turns', async () => {
  const machine = await replacingSlowly()
  machine.jump(-5 * MINUTE)
  await machine.run(30 * MINUTE)
  assertNoneTwice(machine)
  const minutes = ofA(machine.ran()).map(each => each.slice(-6, -4))
  assert.deepEqual(minutes, ['00', '10', '20', '30'])
})

test('a clock set back between verdict and intent runs no period twice, though the daemon dies as it starts', async () => {
  const line = job('*/10 * * * * @policy(deadline=20m)')
  const machine = await machineWith([line])
  machine.processes.behave = () => ({ lives: 3_600_000 })
  const { store } = machine
  const record = store!.record.bind(store)
  let hasJumped = false
  store!.record = (identity, seq, event) => {
    if (event.kind === 'intended' && !hasJumped) machine.jump(-5 * MINUTE)
    hasJumped ||= event.kind === 'intended'
    return record(identity, seq, event)
  }
  const create = machine.processes.create.bind(machine.processes)
  machine.processes.create = request => {
    const process = create(request)
    machine.crash()
    return process
  }
  await machine.run(6 * MINUTE)
  assert.ok(machine.isDead)
  await machine.boot([line])
  await machine.run(9 * MINUTE)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z'])
})

test('a clock set back while a start waits for a place leaves the job its turns', async () => {
  const lines = [job('59 23 * * * @policy(deadline=5m)', 'long'), job('0 * * * * @policy(deadline=5m)')]
  const machine = await machineWith(lines, {
    maxConcurrent: 1,
    everyWakeUp: true,
    now: at('2026-02-28T23:58:30Z'),
  })
  machine.processes.behave = ({ entry }) => ({ lives: entry.name === 'long' ? 120_000 : 1_000 })
  await machine.run(100)
  assert.equal(machine.daemon!.driver.waiting.length, 1)
  machine.jump(-30 * MINUTE)
  await machine.run(3 * 60 * MINUTE)
  assert.deepEqual(await outcomes(machine), [
    '2026-03-01T00:00:00Z executed',
    '2026-03-01T01:00:00Z executed',
    '2026-03-01T02:00:00Z executed',
  ])
})

test('a clock set back while jobs catch up after a jump forward leaves each job one late start', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `job-${index}`)
  const machine = await machineWith(
    names.map(name => job('0 * * * * @policy(deadline=24h,concurrency=allow)', name)),
    { everyWakeUp: true },
  )
  await machine.run(10 * MINUTE)
  machine.jump(6 * 60 * MINUTE)
  const setTimer = machine.clock.setTimer.bind(machine.clock)
  // The daemon judges the first of the jobs, and the clock is set back before it judges the others.
  machine.clock.setTimer = (milliseconds, fire) => setTimer(milliseconds === 0 ? 2_000 : milliseconds, fire)
  while (machine.ran().length === names.length) await machine.run(0.1)
  assert.ok(machine.ran().length < 2 * names.length, 'some jobs are not judged yet')
  machine.jump(-5 * MINUTE)
  await machine.run(20 * MINUTE)
  for (const name of names)
    assert.deepEqual(
      machine.ran().filter(each => each.startsWith(`${name} `)),
      [`${name} 2026-03-01T00:00:00Z`, `${name} 2026-03-01T06:00:00Z`],
    )
})

test('a clock set back after it was ahead starts at most one late period of a job', async () => {
  const line = job('*/20 * * * * @win(before,1h) @policy(deadline=6h,concurrency=allow)')
  const machine = await machineWith([line], { everyWakeUp: true })
  await machine.run(2 * 60 * MINUTE)
  machine.jump(24 * 60 * MINUTE)
  await machine.run(60 * MINUTE)
  const before = machine.ran().length
  // Periods of the next hour were chosen for a second of the last one, in which the clock was ahead.
  machine.jump(-24 * 60 * MINUTE)
  await machine.run(MINUTE)
  const late = machine.ran().slice(before)
  assert.equal(late.length, 1, `started ${late.join(', ')}`)
  await machine.run(3 * 60 * MINUTE)
  assertNoneTwice(machine)
  assert.ok(machine.ran().length - before >= 8, 'later periods run')
})
