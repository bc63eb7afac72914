import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deferred, Fixture, MINUTE, SECOND } from './fixture.test-support.ts'

const AT = '2026-06-10T12:00:30Z'
const DOWN = new Error('the store is down')

test('Failing Store › a start that is not durable does not happen, and is tried again with backoff', async () => {
  const world = new Fixture({ at: AT })
  await world.scheduler.initialize([world.task('a', '1 12 * * *')])
  world.store.failing.set('commit', DOWN)
  await world.run(90 * SECOND)
  assert.deepEqual(world.startsOf('a'), [])
  const failures = world.eventsOf('error')
  assert.ok(failures.length >= 5 && failures.length <= 15, `${failures.length} attempts in a minute`)
  assert.equal(failures[0]?.error, DOWN)
  world.store.failing.clear()
  await world.run(31 * SECOND)
  assert.equal(world.startsOf('a').length, 1)
  await world.run(10 * MINUTE)
  assert.equal(world.startsOf('a').length, 1)
})

test('Failing Store › an outcome that is not durable is kept, and the task stays schedulable', async () => {
  const world = new Fixture({ at: AT })
  const gate = deferred()
  await world.scheduler.initialize([world.task('a', '* * * * *', 0, () => gate.promise)])
  await world.run(SECOND)
  world.store.failing.set('commit', DOWN)
  gate.resolve()
  await world.run(10 * SECOND)
  assert.equal(world.eventsOf('TaskRunCompleted').length, 0)
  assert.ok(world.eventsOf('error').length > 0)
  world.store.failing.clear()
  await world.run(2 * MINUTE)
  assert.ok(world.eventsOf('TaskRunCompleted').length >= 2)
  assert.ok(world.startsOf('a').length >= 2)
})

test('Failing Store › a stop is not held up by a store that fails', async () => {
  const world = new Fixture({ at: AT })
  const gate = deferred()
  await world.scheduler.initialize([world.task('a', '* * * * *', 0, () => gate.promise)])
  await world.run(SECOND)
  world.store.failing.set('commit', DOWN)
  world.store.failing.set('close', DOWN)
  const stopped = world.scheduler.stop()
  gate.resolve()
  await world.run(SECOND)
  await stopped
  assert.deepEqual(
    world.eventsOf('error').map(event => event.operation),
    ['commit', 'stop', 'close'],
  )
})

test('Failing Store › a stop is not held up by a store that never answers', async () => {
  const world = new Fixture({ at: AT })
  const gate = deferred()
  await world.scheduler.initialize([world.task('a', '* * * * *', 0, () => gate.promise)])
  await world.run(SECOND)
  world.store.gate = new Promise(() => {})
  const stopped = world.scheduler.stop()
  gate.resolve()
  await world.run(MINUTE)
  await stopped
})

test('Failing Store › a stop is not held up by an initialization whose store never answers', async () => {
  const world = new Fixture({ at: AT })
  world.store.gate = new Promise(() => {})
  const initialized = assert.rejects(world.scheduler.initialize([world.task('a', '* * * * *')]), {
    message: 'Cannot initialize scheduler: failed to commit to the store: the store does not answer',
  })
  const stopped = world.scheduler.stop()
  await world.run(MINUTE)
  await Promise.all([initialized, stopped])
})

test('Failing Store › an outcome that a stop could not store makes the run an orphan', async () => {
  const world = new Fixture({ at: AT })
  await world.scheduler.initialize([
    world.task('a', '0 12 * * *', 0, () => world.store.failing.set('commit', DOWN)),
  ])
  await world.run(SECOND)
  const stopped = world.scheduler.stop()
  await world.run(SECOND)
  await stopped
  world.store.failing.clear()
  await world.newInstance().initialize([world.task('a', '0 12 * * *')])
  await world.run(SECOND)
  assert.deepEqual(
    world.eventsOf('TaskOrphaned').map(event => event.previousOwner),
    ['instance-1'],
  )
  assert.equal(world.startsOf('a').length, 2)
})

test('Failing Store › a commit that throws instead of rejecting is a failed commit', async () => {
  const world = new Fixture({ at: AT })
  await world.scheduler.initialize([world.task('a', '1 12 * * *')])
  const commit = world.store.commit.bind(world.store)
  world.store.commit = () => {
    throw DOWN
  }
  await world.run(40 * SECOND)
  assert.ok(world.eventsOf('error').length > 0)
  world.store.commit = commit
  await world.run(MINUTE)
  assert.equal(world.startsOf('a').length, 1)
})

test('Failing Store › starts that wait together share a commit', async () => {
  const world = new Fixture({ at: '2026-06-10T11:59:59Z' })
  const names = Array.from({ length: 500 }, (_, index) => `task-${index}`)
  await world.scheduler.initialize(names.map(name => world.task(name, '* * * * *')))
  await world.run(SECOND)
  world.store.commits.length = 0
  await world.run(MINUTE)
  assert.equal(world.starts.size, 500)
  assert.deepEqual(
    world.store.commits.map(({ put }) => put.length),
    [500, 500],
  )
})
