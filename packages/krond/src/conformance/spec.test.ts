import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, next, printInstant } from '@kron/core'
import {
  assertNoneTwice,
  at,
  HOURLY,
  job,
  machineWith,
  outcomes,
  T0,
} from '@kron/testkit/krond/conformance/scenario'
import { entriesOf } from '@kron/testkit/krond/simulation/machine'

test('SPEC Execution Trigger Semantics: a period starts at its chosen second, not before', async () => {
  const line = job(`${HOURLY} @win(after,30m)`)
  const machine = await machineWith([line])
  const [entry] = entriesOf([line])
  const { chosen } = decide(entry!, T0)
  await machine.run(chosen! - T0 + 29)
  assert.deepEqual(machine.ran(), [])
  await machine.run(1)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z'])
})

test('SPEC Execution Trigger Semantics: a suspended job starts nothing and handles nothing', async () => {
  const machine = await machineWith([job(`${HOURLY} @policy(suspend=true)`)])
  await machine.run(7_200)
  await machine.stop()
  assert.deepEqual(machine.ran(), [])
  assert.equal((await machine.state('a'))?.LastHandledPeriodID, '')
})

test('SPEC Invariants 6: a job that is resumed catches up with at most one period', async () => {
  const machine = await machineWith([job('*/10 * * * * @policy(suspend=true,deadline=1h)')])
  await machine.run(3_600)
  await machine.daemon!.reload(entriesOf([job('*/10 * * * * @policy(deadline=1h)')]))
  await machine.run(5)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:50:00Z'])
  assert.deepEqual((await outcomes(machine)).slice(0, 5), [
    '2026-03-01T00:00:00Z missed superseded',
    '2026-03-01T00:10:00Z missed superseded',
    '2026-03-01T00:20:00Z missed superseded',
    '2026-03-01T00:30:00Z missed superseded',
    '2026-03-01T00:40:00Z missed superseded',
  ])
})

test('SPEC Deadline Semantics: without a deadline a period is missed once its chosen second is over', async () => {
  const machine = await machineWith([job(HOURLY)])
  machine.crash()
  await machine.run(31)
  await machine.boot([job(HOURLY)])
  await machine.run(60)
  assert.deepEqual(machine.ran(), [])
  assert.deepEqual(await outcomes(machine), ['2026-03-01T00:00:00Z missed deadline'])
})

test('SPEC Deadline Semantics: within the deadline a late period still starts, beyond it not', async () => {
  for (const [late, expected] of [
    [600, ['a 2026-03-01T00:00:00Z']],
    [601, []],
  ] as const) {
    const machine = await machineWith([job(`${HOURLY} @policy(deadline=10m)`)])
    machine.crash()
    await machine.run(30 + late)
    await machine.boot([job(`${HOURLY} @policy(deadline=10m)`)])
    await machine.run(5)
    assert.deepEqual(machine.ran(), expected, `${late} s late`)
  }
})

test('SPEC Concurrency Semantics: allow starts beside a running execution', async () => {
  const machine = await machineWith([job('* * * * * @policy(concurrency=allow)')])
  machine.processes.behave = () => ({ lives: 150_000 })
  await machine.run(120)
  assert.equal(machine.ran().length, 2)
  await machine.store!.flush()
  const state = await machine.state('a')
  assert.equal(state?.ConcurrentExecutions.length, 1)
})

test('SPEC Concurrency Semantics: forbid records the period as skipped', async () => {
  const machine = await machineWith([job('* * * * *')])
  machine.processes.behave = () => ({ lives: 90_000 })
  await machine.run(150)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z', 'a 2026-03-01T00:02:00Z'])
  assert.ok((await outcomes(machine)).includes('2026-03-01T00:01:00Z skipped concurrency'))
})

test('SPEC Concurrency Semantics: replace ends the running execution, then starts', async () => {
  const machine = await machineWith([job('* * * * * @policy(concurrency=replace)')])
  machine.processes.behave = () => ({ lives: Number.POSITIVE_INFINITY })
  await machine.run(100)
  assert.equal(machine.ran().length, 2)
  assert.deepEqual(
    machine.processes.started.map(each => each.alive),
    [false, true],
  )
  assert.deepEqual(await outcomes(machine), ['2026-03-01T00:00:00Z executed replaced'])
})

test('SPEC Concurrency Semantics: two periods that replace in the same second never run side by side', async () => {
  const line = (name: string): string => job('* * * * * @win(after,2m) @policy(concurrency=replace)', name)
  const chosenAt = (name: string, nominal: number): number | null =>
    decide(entriesOf([line(name)])[0]!, nominal).chosen
  const name = Array.from({ length: 2_000 }, (_, i) => `job-${i}`).find(
    each => chosenAt(each, T0) === chosenAt(each, T0 + 60),
  )
  const machine = await machineWith([line(name!)])
  machine.processes.behave = () => ({ lives: Number.POSITIVE_INFINITY })
  await machine.run(600)
  assert.ok(machine.ran().length >= 8)
  for (const each of machine.processes.started)
    assert.equal(each.beside, 0, `${each.periodId} ran beside another`)
})

test('ERROR-MODEL Concurrency Conflicts: what survives replace keeps the period unhandled until its deadline', async () => {
  const machine = await machineWith([job(`${HOURLY} @policy(concurrency=replace,deadline=5m)`)])
  machine.processes.behave = () => ({ lives: Number.POSITIVE_INFINITY, ignoresSignals: true })
  await machine.run(3_600 + 400)
  assert.equal(machine.ran().length, 1)
  assert.deepEqual(await outcomes(machine), ['2026-03-01T01:00:00Z missed deadline'])
  assert.ok(machine.events.filter(each => each.event === 'reschedule').length > 3)
})

test('SPEC Concurrency Semantics: replace ends each of several runs once', async () => {
  const machine = await machineWith([job('* * * * * @policy(concurrency=allow)')])
  machine.processes.behave = () => ({ lives: 3_600_000 })
  await machine.run(100)
  await machine.daemon!.reload(entriesOf([job('* * * * * @policy(concurrency=replace)')]))
  await machine.run(60)
  const replaced = machine.events.filter(each => each.event === 'replaced').map(each => each.periodId)
  assert.deepEqual(replaced, ['2026-03-01T00:00:00Z', '2026-03-01T00:01:00Z'])
  assert.equal(machine.daemon!.driver.runningCount, 1)
})

test('SPEC Concurrency Semantics: a replacement waits until the start of the old run is durable', async () => {
  const machine = await machineWith([job('* * * * * @policy(concurrency=replace)')])
  machine.processes.behave = () => ({ lives: 3_600_000 })
  const store = machine.store!
  const record = store.record.bind(store)
  store.record = async (identity, seq, event) => {
    if (event.kind === 'started') await new Promise<void>(done => machine.clock.setTimer(90_000, done))
    return record(identity, seq, event)
  }
  await machine.run(300)
  assertNoneTwice(machine)
  assert.ok(machine.events.some(each => each.event === 'replaced'))
  assert.equal(machine.daemon!.driver.runningCount, 1)
})

test('SPEC Unschedulable periods: recorded when the window opens, and nothing starts', async () => {
  const machine = await machineWith([job(`${HOURLY} @win(around,20m) @only(hours=5)`)], { now: T0 - 7_200 })
  await machine.run(3_000)
  assert.deepEqual(machine.ran(), [])
  const found = await outcomes(machine)
  assert.deepEqual(found, ['2026-02-28T23:00:00Z unschedulable constraints'])
  const event = machine.events.find(each => each.event === 'constraint_unsatisfiable')
  assert.equal(event?.level, 'warn')
})

test('SPEC Invariants 2: overlapping windows run every period exactly once, in order of their chosen times', async () => {
  const line = job('*/5 * * * * @win(after,2h) @policy(concurrency=allow)')
  const machine = await machineWith([line])
  await machine.run(6 * 3_600)
  const [entry] = entriesOf([line])
  const expected: string[] = []
  for (
    let nominal = T0;
    nominal < T0 + 4 * 3_600 - 60;
    nominal = next(entry!.schedule.cron, entry!.schedule.zone, nominal)!
  ) {
    expected.push(`a ${printInstant(nominal)}`)
  }
  const ran = machine.ran()
  assert.equal(new Set(ran).size, ran.length)
  for (const period of expected) assert.ok(ran.includes(period), period)
  const times = machine.processes.started.map(each => each.chosenTime)
  assert.deepEqual(times, times.toSorted())
})

test('SPEC Invariants 4: after a year of downtime one period is recorded and none is replayed', async () => {
  const line = job('* * * * * @policy(deadline=1m)')
  const machine = await machineWith([line])
  await machine.run(120)
  machine.crash()
  await machine.run(365 * 86_400)
  await machine.boot([line])
  await machine.run(30)
  const found = await outcomes(machine)
  assert.ok(found.length <= 5, found.join('\n'))
  assert.ok(machine.ran().length <= 4)
})

test('SPEC Clock Change Semantics: a jump forward applies the deadline, a jump back runs nothing again', async () => {
  const machine = await machineWith([job('*/10 * * * *')])
  await machine.run(600)
  machine.clock.jump(3_600_000)
  await machine.run(120)
  machine.clock.jump(-3_600_000)
  await machine.run(7_200)
  const ran = machine.ran()
  assert.equal(new Set(ran).size, ran.length, ran.join('\n'))
  assert.deepEqual(
    machine.events.filter(each => each.event === 'clock_jump').map(each => each['direction']),
    ['forward', 'backward'],
  )
})

test('SPEC Spec Change Semantics: a changed schedule applies from the first unhandled period', async () => {
  const machine = await machineWith([job('0 * * * *')])
  await machine.run(60)
  await machine.daemon!.reload(entriesOf([job('30 * * * *')]))
  await machine.run(3_600)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z', 'a 2026-03-01T00:30:00Z'])
})

test('SPEC Spec Change Semantics: a changed policy does not run a handled period again', async () => {
  const machine = await machineWith([job('0 * * * *')])
  await machine.run(60)
  await machine.daemon!.reload(entriesOf([job('0 * * * * @policy(deadline=1h)')]))
  await machine.run(60)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z'])
})

test('SPEC Observability Contract: every handled period leaves a decision that can be recomputed and an outcome', async () => {
  const line = job('*/10 * * * * @win(after,5m) @dist(normal)')
  const machine = await machineWith([line])
  await machine.run(3_600)
  const decisions = machine.events.filter(each => each.event === 'decision')
  assert.equal(decisions.length, machine.ran().length)
  const [entry] = entriesOf([line])
  for (const event of decisions) {
    const again = decide(entry!, at(event.periodId!))
    assert.equal(event['chosenTime'], printInstant(again.chosen!))
    assert.equal(event['seedHash'], again.seedHash)
  }
})

test('KROND --max-concurrent: starts beyond the limit wait and are missed when they wait too long', async () => {
  const lines = ['a', 'b', 'c'].map(name => job(`${HOURLY} @policy(deadline=1m)`, name))
  const machine = await machineWith(lines, { maxConcurrent: 1 })
  machine.processes.behave = ({ entry }) => ({ lives: entry.name === 'a' ? 40_000 : 90_000 })
  await machine.run(600)
  assert.deepEqual(machine.ran(), ['a 2026-03-01T00:00:00Z', 'b 2026-03-01T00:00:00Z'])
  assert.deepEqual(await outcomes(machine, 'c'), ['2026-03-01T00:00:00Z missed queue'])
})

test('a year passes: two hundred jobs run each of their periods exactly once', async () => {
  const lines = Array.from({ length: 200 }, (_, i) =>
    job(`${i % 60} ${i % 24} ${1 + (i % 28)} * * @tz(Europe/Paris) @win(after,2h)`, `job-${i}`),
  )
  const machine = await machineWith(lines)
  await machine.run(365 * 86_400)
  const ran = machine.ran()
  assert.equal(new Set(ran).size, ran.length)
  let periods = 0
  for (const { schedule } of entriesOf(lines)) {
    for (let n = next(schedule.cron, schedule.zone, T0 - 30)!; n < T0 + 365 * 86_400 - 7_300; ) {
      periods++
      n = next(schedule.cron, schedule.zone, n)!
    }
  }
  assert.ok(ran.length >= periods && ran.length <= periods + 200, `${ran.length} of ${periods}`)
})
