import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deferred, Fixture, SECOND } from '@kron/testkit/scheduler/conformance/fixture'

test('Polling Lifecycle › polling is inactive until there is a task', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  await world.scheduler.initialize([])
  assert.equal(world.eventsOf('PollingStarted').length, 0)
  assert.equal(world.clock.timerCount, 0)
  await world.scheduler.stop()
  assert.equal(world.eventsOf('PollingStopped').length, 0)
})

test('Polling Lifecycle › polling starts with the first task', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  await world.scheduler.initialize([world.task('a', '* * * * *')])
  assert.equal(world.eventsOf('PollingStarted').length, 1)
  assert.equal(world.clock.timerCount, 1)
})

test('Polling Lifecycle › polling is stopping until the running tasks have completed, then inactive', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  const gate = deferred()
  await world.scheduler.initialize([world.task('a', '* * * * *', 0, () => gate.promise)])
  await world.run(SECOND)
  const stopped = world.scheduler.stop()
  await world.run(SECOND)
  assert.equal(world.eventsOf('PollingStopRequested').length, 1)
  assert.equal(world.eventsOf('PollingStopped').length, 0)
  gate.resolve()
  await world.run(SECOND)
  await stopped
  assert.equal(world.eventsOf('PollingStopped').length, 1)
  assert.equal(world.clock.timerCount, 0)
})

test('Polling Lifecycle › with the last task polling ends, whichever list had it', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  await world.scheduler.initialize([world.task('a', '* * * * *')])
  await world.run(SECOND)
  await Promise.all([world.scheduler.stop(), world.run(SECOND)])
  await world.scheduler.initialize([])
  assert.equal(world.eventsOf('PollingStarted').length, 1)
  assert.equal(world.clock.timerCount, 0)
  assert.equal(world.record('a'), undefined)
})
