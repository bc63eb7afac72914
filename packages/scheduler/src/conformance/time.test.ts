import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, deferred, Fixture, HOUR, MINUTE, ms, SECOND } from '@kron/testkit/scheduler/conformance/fixture'

test('Time Provider and Granularity › tasks start at the start of each minute that matches', async () => {
  const world = new Fixture({ at: '2026-06-10T11:58:20.500Z' })
  await world.scheduler.initialize([world.task('a', '0,1 * * * *')])
  await world.runUntil('2026-06-10T11:59:59.999Z')
  assert.deepEqual(world.startsOf('a'), [])
  await world.runUntil('2026-06-10T12:03:00Z')
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:00:00.000Z', '2026-06-10T12:01:00.000Z'])
})

test('Time Provider and Granularity › the clock decides, not the timers: early timers start nothing early', async () => {
  const world = new Fixture({ at: '2026-06-10T11:58:30Z' })
  await world.scheduler.initialize([world.task('a', '* * * * *')])
  await world.run(1)
  // The timers fire while the clock still shows the previous minute.
  world.clock.jump(-30 * SECOND)
  await world.runUntil('2026-06-10T11:58:59.999Z')
  assert.equal(world.startsOf('a').length, 1)
  await world.runUntil('2026-06-10T11:59:00.000Z')
  assert.equal(world.startsOf('a').length, 2)
})

test('Time Provider and Granularity › the loop sleeps until something is due, and at most a minute', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:30Z' })
  let wakeUps = 0
  const { clock } = world
  const setTimer = clock.setTimer.bind(clock)
  clock.setTimer = (milliseconds, fire) => {
    assert.ok(milliseconds <= MINUTE)
    return setTimer(milliseconds, () => {
      wakeUps++
      fire()
    })
  }
  await world.scheduler.initialize([world.task('a', '0 0 1 1 *')])
  await world.run(HOUR)
  assert.ok(wakeUps >= 59 && wakeUps <= 61, `${wakeUps} wake-ups in an hour`)
})

test('Time Provider and Granularity › after a machine has slept, what is due starts within a minute', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:30Z' })
  await world.scheduler.initialize([world.task('a', '0 13 * * *')])
  await world.run(SECOND)
  world.clock.jump(3 * HOUR)
  await world.run(MINUTE)
  assert.equal(world.startsOf('a').length, 1)
})

test('Time Semantics › tasks that are due together run in parallel', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  const gate = deferred()
  const names = Array.from({ length: 50 }, (_, index) => `task-${index}`)
  await world.scheduler.initialize(names.map(name => world.task(name, '* * * * *', 0, () => gate.promise)))
  await world.run(1)
  assert.deepEqual([...world.starts.keys()].sort(), names.sort())
  gate.resolve()
})

test('Time Semantics › expressions are read in the local time zone', async () => {
  const world = new Fixture({ at: '2026-06-10T05:59:00Z', timeZone: 'Asia/Kathmandu' })
  await world.scheduler.initialize([world.task('a', '45 11 * * *')])
  await world.run(5 * MINUTE)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T06:00:00.000Z'])
})

test('Time Semantics › a change of the time zone is followed without a restart', async () => {
  const world = new Fixture({ at: '2026-06-10T05:30:00Z', timeZone: 'UTC' })
  await world.scheduler.initialize([world.task('a', '0 9 * * *')])
  await world.run(10 * MINUTE)
  world.timeZone = 'Europe/Helsinki'
  await world.runUntil('2026-06-10T10:00:00Z')
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T06:00:00.000Z'])
})

test('DST Transition Behavior › spring forward: a task in the lost hour does not run that day', async () => {
  const world = new Fixture({ at: '2026-03-28T12:00:30Z', timeZone: 'Europe/Paris' })
  await world.scheduler.initialize([world.task('a', '30 2 * * *')])
  await world.runUntil('2026-03-31T12:00:00Z')
  assert.deepEqual(world.startsOf('a'), ['2026-03-30T00:30:00.000Z', '2026-03-31T00:30:00.000Z'])
})

test('DST Transition Behavior › fall back: a task in the repeated hour runs both times', async () => {
  const world = new Fixture({ at: '2026-10-24T12:00:30Z', timeZone: 'Europe/Paris' })
  await world.scheduler.initialize([world.task('a', '30 2 * * *')])
  await world.runUntil('2026-10-26T12:00:00Z')
  assert.deepEqual(world.startsOf('a'), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ])
})

test('DST Transition Behavior › a repeated hour that was missed while down is one run', async () => {
  const world = new Fixture({ at: '2026-10-24T12:00:30Z', timeZone: 'Europe/Paris' })
  await world.scheduler.initialize([world.task('a', '30 2 * * *')])
  await world.scheduler.stop()
  await world.runUntil('2026-10-25T08:00:00Z')
  await world.newInstance().initialize([world.task('a', '30 2 * * *')])
  await world.run(HOUR)
  assert.deepEqual(world.startsOf('a'), ['2026-10-25T08:00:00.000Z'])
})

test('DST Transition Behavior › scheduling goes on after transitions without a restart, for a year', async () => {
  const world = new Fixture({ at: '2026-01-01T00:00:30Z', timeZone: 'America/New_York' })
  await world.scheduler.initialize([world.task('a', '0 6 * * *')])
  await world.run(365 * DAY)
  const starts = world.startsOf('a')
  assert.equal(starts.length, 365)
  assert.ok(starts.every(time => /T1[01]:00:00.000Z$/.test(time)))
  assert.equal(starts.filter(time => time.includes('T10:')).length, 238)
})

test('No Make-Up Execution Policy › however many executions were missed, one run', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:30Z' })
  const list = () => [world.task('a', '15,30,45,0 * * * *')]
  await world.scheduler.initialize(list())
  await world.run(SECOND)
  await world.scheduler.stop()
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:00:30.000Z'])
  await world.runUntil('2026-06-10T13:05:00Z')
  await world.newInstance().initialize(list())
  await world.run(9 * MINUTE)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:00:30.000Z', '2026-06-10T13:05:00.000Z'])
  await world.run(2 * MINUTE)
  assert.equal(world.startsOf('a').at(-1), '2026-06-10T13:15:00.000Z')
})

test('No Make-Up Execution Policy › a run longer than its interval owes one run, at once when it ends', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  const gates = [deferred(), deferred()]
  let run = 0
  await world.scheduler.initialize([world.task('a', '* * * * *', '1h', () => gates[run++]?.promise)])
  await world.run(10 * MINUTE + 5 * SECOND)
  assert.equal(world.startsOf('a').length, 1)
  gates[0]!.resolve()
  await world.run(SECOND)
  assert.deepEqual(world.startsOf('a').slice(1), ['2026-06-10T12:10:05.000Z'])
  // The same holds when the run fails: the occurrence that passed preempts the retry.
  await world.run(3 * MINUTE)
  gates[1]!.reject(new Error('no'))
  await world.run(SECOND)
  assert.deepEqual(world.startsOf('a').slice(2), ['2026-06-10T12:13:06.000Z'])
  assert.equal(world.eventsOf('TaskRetryPreempted').length, 1)
})

test('Clock set back › a minute whose run has started does not start again', async () => {
  const world = new Fixture({ at: '2026-06-10T11:59:30Z' })
  await world.scheduler.initialize([world.task('a', '0 * * * *')])
  await world.run(MINUTE)
  assert.equal(world.startsOf('a').length, 1)
  world.clock.jump(-HOUR)
  await world.run(HOUR + 30 * MINUTE)
  assert.equal(world.startsOf('a').length, 1)
  await world.run(HOUR)
  assert.deepEqual(world.startsOf('a').slice(1), ['2026-06-10T13:00:00.000Z'])
})

test('Clock set back › even by a millisecond between decision and start', async () => {
  const world = new Fixture({ at: '2026-06-10T11:59:30Z' })
  await world.scheduler.initialize([world.task('a', '0 * * * *')])
  const gate = deferred()
  world.store.gate = gate.promise
  await world.runUntil('2026-06-10T12:00:00Z')
  world.clock.jump(-1)
  gate.resolve()
  await world.run(MINUTE)
  assert.equal(world.startsOf('a').length, 1)
})

test('Clock set back › by more than 25 hours: nothing is stuck, with a warning', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  await world.scheduler.initialize([world.task('a', '0 * * * *'), world.task('b', '0 0 1 1 *')])
  await world.run(SECOND)
  world.clock.jump(-30 * DAY)
  await world.run(HOUR + MINUTE)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:00:00.000Z', '2026-05-11T13:00:00.000Z'])
  assert.deepEqual(
    world.eventsOf('ClockSetBack').map(event => event.tasks),
    [2],
  )
})

test('Clock set back › by more than 25 hours while down: the last attempt counts as now', async () => {
  const record = {
    name: 'a',
    cronExpression: '0 * * * *',
    retryDelayMs: 0,
    firstSeenAt: ms('2026-01-01T00:00:00Z'),
    lastAttemptAt: ms('2030-01-01T00:00:00Z'),
  }
  const world = new Fixture({ at: '2026-06-10T12:30:00Z', records: [record] })
  await world.scheduler.initialize([world.task('a', '0 * * * *')])
  assert.equal(world.record('a')?.lastAttemptAt, ms('2026-06-10T12:30:00Z'))
  assert.equal(world.eventsOf('ClockSetBack').length, 1)
  await world.run(HOUR)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T13:00:00.000Z'])
})

test('Clock set back › by more than 25 hours while a commit is under way: the records are corrected afterwards', async () => {
  const world = new Fixture({ at: '2026-06-10T11:59:30Z' })
  const [shorter, longer] = [deferred(), deferred()]
  await world.scheduler.initialize([
    world.task('a', '0 12 * * *', 0, () => shorter.promise),
    world.task('b', '0 12 * * *', 0, () => longer.promise),
  ])
  await world.run(MINUTE)
  const gate = deferred()
  world.store.gate = gate.promise
  shorter.resolve()
  await world.run(SECOND)
  world.clock.jump(-30 * DAY)
  longer.resolve()
  await world.run(SECOND)
  gate.resolve()
  await world.run(2 * MINUTE)
  assert.equal(world.eventsOf('ClockSetBack').length, 1)
  for (const name of ['a', 'b']) {
    const { lastAttemptAt = Number.NaN } = world.record(name) ?? {}
    assert.ok(lastAttemptAt < ms('2026-05-12T00:00:00Z'), `${name}: ${new Date(lastAttemptAt).toISOString()}`)
  }
})
