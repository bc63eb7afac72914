import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fixture, HOUR, MINUTE, ms, SECOND } from '@kron/testkit/scheduler/conformance/fixture'

test('Real-time bounds › R1: what is due starts at once', async () => {
  const world = new Fixture({ at: '2026-06-10T11:59:30Z' })
  const names = Array.from({ length: 1000 }, (_, index) => `task-${index}`)
  await world.scheduler.initialize(names.map(name => world.task(name, '0 12 * * *')))
  await world.run(MINUTE)
  assert.equal(world.starts.size, 1000)
  assert.ok([...world.starts.values()].every(times => times[0] === '2026-06-10T12:00:00.000Z'))
})

test('Real-time bounds › R1: a start more than a minute late is told', async () => {
  const world = new Fixture({ at: '2026-06-10T11:59:30Z' })
  await world.scheduler.initialize([world.task('a', '0 12 * * *')])
  await world.run(SECOND)
  world.clock.jump(HOUR)
  await world.run(MINUTE)
  const [late] = world.eventsOf('TaskStartedLate')
  assert.equal(late?.taskName, 'a')
  assert.equal(late?.lateMs, late!.at - ms('2026-06-10T12:00:00Z'))
  assert.ok(late!.lateMs > 59 * MINUTE)
})

test('Real-time bounds › R2: an orphan restarts at once, and nobody is late who was down', async () => {
  const record = {
    name: 'a',
    cronExpression: '0 * * * *',
    retryDelayMs: 0,
    firstSeenAt: ms('2026-06-01T00:00:00Z'),
    lastAttemptAt: ms('2026-06-10T02:00:00Z'),
  }
  const records = [
    { ...record, runningBy: 'dead' },
    { ...record, name: 'b' },
  ]
  const world = new Fixture({ at: '2026-06-10T11:30:00Z', records })
  await world.scheduler.initialize([world.task('a', '0 * * * *'), world.task('b', '0 * * * *')])
  await world.run(SECOND)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T11:30:00.000Z'])
  assert.deepEqual(world.startsOf('b'), ['2026-06-10T11:30:00.000Z'])
  assert.equal(world.eventsOf('TaskStartedLate').length, 0)
})

test('Real-time bounds › a run that was itself too long makes nobody late', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  const work = () => new Promise<void>(resolve => world.clock.setTimer(HOUR, resolve))
  await world.scheduler.initialize([world.task('a', '* * * * *', 0, work)])
  await world.run(3 * HOUR)
  assert.equal(world.startsOf('a').length, 4)
  assert.equal(world.eventsOf('TaskStartedLate').length, 0)
})
