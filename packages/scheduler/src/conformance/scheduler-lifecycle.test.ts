import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deferred, Fixture, MINUTE, SECOND } from '@kron/testkit/scheduler/conformance/fixture'

const AT = '2026-06-10T12:00:00Z'

test('Scheduler Lifecycle › initialize goes from uninitialized over initializing to running', async () => {
  const world = new Fixture({ at: AT })
  await world.scheduler.initialize([world.task('a', '0 0 * * *')])
  assert.deepEqual(world.types(), [
    'SchedulerInitializationStarted',
    'StateReconciled',
    'PollingStarted',
    'SchedulerInitializationCompleted',
  ])
})

test('Scheduler Lifecycle › a validation error leads back to uninitialized, with nothing changed', async () => {
  const world = new Fixture({ at: AT })
  await assert.rejects(world.scheduler.initialize([world.task('a', 'nonsense')]), {
    name: 'CronExpressionInvalidError',
  })
  assert.deepEqual(world.types(), ['SchedulerInitializationStarted', 'SchedulerInitializationFailed'])
  assert.equal(world.store.loads, 0)
  await world.scheduler.initialize([world.task('a', '* * * * *')])
})

test('Scheduler Lifecycle › initialize while initializing is refused', async () => {
  const world = new Fixture({ at: AT })
  const first = world.scheduler.initialize([])
  await assert.rejects(world.scheduler.initialize([]), {
    name: 'SchedulerAlreadyActiveError',
    message: 'Cannot initialize scheduler: scheduler is already initializing',
    details: { currentState: 'initializing' },
  })
  await first
  assert.equal(world.eventsOf('SchedulerInitializationStarted').length, 1)
})

test('Scheduler Lifecycle › initialize while running is refused, before the list is looked at', async () => {
  const world = new Fixture({ at: AT })
  await world.scheduler.initialize([])
  await assert.rejects(world.scheduler.initialize([['', 'nonsense', () => {}, -1]]), {
    name: 'SchedulerAlreadyActiveError',
    message: 'Cannot initialize scheduler: scheduler is already running',
    details: { currentState: 'running' },
  })
})

test('Scheduler Lifecycle › initialize while stopping is refused as running', async () => {
  const world = new Fixture({ at: AT })
  const gate = deferred()
  await world.scheduler.initialize([world.task('a', '* * * * *', 0, () => gate.promise)])
  await world.run(1)
  const stopped = world.scheduler.stop()
  await world.run(1)
  await assert.rejects(world.scheduler.initialize([]), { details: { currentState: 'running' } })
  gate.resolve()
  await world.run(1)
  await stopped
  await world.scheduler.initialize([])
})

test('Scheduler Lifecycle › stop goes from running over stopping to stopped', async () => {
  const world = new Fixture({ at: AT })
  await world.scheduler.initialize([world.task('a', '0 0 * * *')])
  world.events.length = 0
  await world.scheduler.stop()
  assert.deepEqual(world.types(), [
    'SchedulerStopRequested',
    'PollingStopRequested',
    'PollingStopped',
    'SchedulerStopped',
  ])
  assert.equal(world.store.closes, 1)
  assert.equal(world.clock.timerCount, 0)
})

test('Scheduler Lifecycle › a stopped scheduler can be initialized again and goes on where it was', async () => {
  const world = new Fixture({ at: AT })
  const list = [world.task('a', '* * * * *')]
  await world.scheduler.initialize(list)
  await world.run(SECOND)
  await world.scheduler.stop()
  await world.run(5 * MINUTE)
  assert.equal(world.startsOf('a').length, 1)
  await world.scheduler.initialize(list)
  await world.run(SECOND)
  assert.equal(world.startsOf('a').length, 2)
})

test('Scheduler Lifecycle › a store that cannot be loaded fails the initialization, with its cause', async () => {
  const world = new Fixture({ at: AT })
  const cause = new Error('no such disk')
  world.store.failing.set('load', cause)
  await assert.rejects(world.scheduler.initialize([]), {
    name: 'SchedulerInitializationError',
    message: 'Cannot initialize scheduler: failed to load the store: no such disk',
    details: { step: 'load the store', cause },
    cause,
  })
  world.store.failing.clear()
  await world.scheduler.initialize([])
})

test('Scheduler Lifecycle › a time zone that nobody knows fails the initialization', async () => {
  const world = new Fixture({ at: AT, timeZone: 'Mars/Olympus' })
  await assert.rejects(world.scheduler.initialize([]), {
    message:
      'Cannot initialize scheduler: failed to find the time zone: "Mars/Olympus" is not an IANA time zone; set TZ or the timeZone option to one',
  })
})
