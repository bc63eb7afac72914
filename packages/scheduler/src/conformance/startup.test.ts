import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fixture, HOUR, MINUTE, ms, SECOND } from '@kron/testkit/scheduler/conformance/fixture'

test('First Startup › a new task runs at once inside a minute that matches, to its last millisecond', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:59.999Z' })
  await world.scheduler.initialize([world.task('a', '0 12 * * *')])
  await world.run(0)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:00:59.999Z'])
})

test('First Startup › a new task does not run in the minute after, and waits for its next occurrence', async () => {
  const world = new Fixture({ at: '2026-06-10T12:01:00.000Z' })
  await world.scheduler.initialize([world.task('a', '0 12 * * *')])
  await world.run(HOUR)
  assert.deepEqual(world.startsOf('a'), [])
  await world.runUntil('2026-06-11T12:00:00Z')
  assert.deepEqual(world.startsOf('a'), ['2026-06-11T12:00:00.000Z'])
})

test('First Startup › after running at once a task is scheduled for its next occurrence', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:30Z' })
  await world.scheduler.initialize([world.task('a', '* * * * *')])
  await world.run(2 * MINUTE)
  assert.deepEqual(world.startsOf('a'), [
    '2026-06-10T12:00:30.000Z',
    '2026-06-10T12:01:00.000Z',
    '2026-06-10T12:02:00.000Z',
  ])
})

test('First Startup › no callback is called before initialize has resolved', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  const order: string[] = []
  const initialized = world.scheduler
    .initialize([world.task('a', '* * * * *', 0, () => order.push('callback'))])
    .then(() => order.push('initialized'))
  await world.run(SECOND)
  await initialized
  assert.deepEqual(order, ['initialized', 'callback'])
})

test('Subsequent Restarts › a task that has run in this minute does not run again in it', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:10Z' })
  await world.scheduler.initialize([world.task('a', '* * * * *')])
  await world.run(SECOND)
  await world.scheduler.stop()
  await world.newInstance().initialize([world.task('a', '* * * * *')])
  await world.run(40 * SECOND)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:00:10.000Z'])
})

test('Subsequent Restarts › a pending retry survives the restart', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  const failing = () => Promise.reject(new Error('no'))
  await world.scheduler.initialize([world.task('a', '0 12 * * *', '10m', failing)])
  await world.run(SECOND)
  await world.scheduler.stop()
  await world.run(2 * MINUTE)
  await world.newInstance().initialize([world.task('a', '0 12 * * *', '10m')])
  await world.run(30 * MINUTE)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:00:00.000Z', '2026-06-10T12:10:00.000Z'])
})

test('Subsequent Restarts › a retry that fell due while down starts at once', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  await world.scheduler.initialize([
    world.task('a', '0 12 * * *', '10m', () => Promise.reject(new Error('no'))),
  ])
  await world.run(SECOND)
  await world.scheduler.stop()
  await world.run(HOUR)
  await world.newInstance().initialize([world.task('a', '0 12 * * *', '10m')])
  await world.run(SECOND)
  assert.equal(world.startsOf('a').length, 2)
  assert.equal(world.eventsOf('TaskRetryStarted').length, 1)
})

test('Subsequent Restarts › a task known but never run, whose occurrence was missed while down, runs once', async () => {
  const world = new Fixture({ at: '2026-06-10T11:30:00Z' })
  await world.scheduler.initialize([world.task('a', '0 * * * *')])
  await world.scheduler.stop()
  await world.runUntil('2026-06-10T14:20:00Z')
  await world.newInstance().initialize([world.task('a', '0 * * * *')])
  await world.run(30 * MINUTE)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T14:20:00.000Z'])
})

test('Subsequent Restarts › a task new in a matching minute runs even if the first instance died before', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:30Z' })
  await world.scheduler.initialize([world.task('a', '0 12 * * *')])
  // The scheduler stops before anything can start.
  await world.scheduler.stop()
  await world.run(5 * MINUTE)
  await world.newInstance().initialize([world.task('a', '0 12 * * *')])
  await world.run(SECOND)
  assert.equal(world.startsOf('a').length, 1)
})

test('Subsequent Restarts › a task that was left out and comes back is new', async () => {
  const world = new Fixture({ at: '2026-06-10T11:30:00Z' })
  await world.scheduler.initialize([world.task('a', '0 * * * *')])
  await world.scheduler.stop()
  const second = world.newInstance()
  await second.initialize([])
  await second.stop()
  await world.runUntil('2026-06-10T12:30:00Z')
  await world.newInstance().initialize([world.task('a', '0 * * * *')])
  await world.run(10 * MINUTE)
  assert.deepEqual(world.startsOf('a'), [])
  assert.equal(world.record('a')?.firstSeenAt, ms('2026-06-10T12:30:00Z'))
})
