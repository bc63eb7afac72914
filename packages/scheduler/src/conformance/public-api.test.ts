import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fixture, MINUTE, silent } from '@kron/testkit/scheduler/conformance/fixture'
import { makeScheduler, memoryStore, type RunContext } from '../index.ts'

test('Public API Surface › a scheduler has exactly initialize and stop', async () => {
  const scheduler = makeScheduler({ store: memoryStore(), logger: silent })
  assert.deepEqual(Object.keys(scheduler).sort(), ['initialize', 'stop'])
  assert.equal(await scheduler.initialize([]), undefined)
  assert.equal(await scheduler.stop(), undefined)
})

test('Public API Surface › a registration is a tuple of name, cron, callback and retry delay', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  await world.scheduler.initialize([world.task('a', '* * * * *', '5m')])
  assert.deepEqual(world.record('a'), {
    name: 'a',
    cronExpression: '* * * * *',
    retryDelayMs: 5 * MINUTE,
    firstSeenAt: world.clock.now(),
  })
})

test('Public API Surface › the callback is told about its run and what it returns is awaited', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  let received: unknown[] | undefined
  let finish = () => {}
  const callback = (...values: unknown[]) => {
    received = values
    return new Promise<void>(resolve => {
      finish = resolve
    })
  }
  await world.scheduler.initialize([['a', '* * * * *', callback, 0]])
  await world.run(1)
  const [context] = received as [RunContext]
  assert.equal(received?.length, 1)
  const { name, attempt, scheduledFor, signal } = context
  assert.deepEqual(
    { name, attempt, scheduledFor },
    { name: 'a', attempt: 1, scheduledFor: Date.parse('2026-06-10T12:00:00Z') },
  )
  assert.equal(signal.aborted, false)
  assert.equal(world.record('a')?.runningBy, 'instance-1')
  finish()
  await world.run(1)
  assert.equal(world.record('a')?.runningBy, undefined)
  assert.equal(world.record('a')?.lastSuccessAt, world.clock.now() - 1)
})

test('Public API Surface › a synchronous callback is accepted', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  await world.scheduler.initialize([world.task('a', '* * * * *')])
  await world.run(1)
  assert.equal(world.startsOf('a').length, 1)
  assert.equal(world.eventsOf('TaskRunCompleted').length, 1)
})

test('Public API Surface › an empty list is valid: nothing polls and persisted tasks are removed', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  await world.scheduler.initialize([world.task('a', '0 0 * * *')])
  await world.scheduler.stop()
  const second = world.newInstance()
  world.events.length = 0
  await second.initialize([])
  assert.equal(world.store.records.size, 0)
  assert.equal(world.clock.timerCount, 0)
  assert.deepEqual(world.types(), [
    'SchedulerInitializationStarted',
    'StateReconciled',
    'SchedulerInitializationCompleted',
  ])
  await assert.rejects(second.initialize([]), { name: 'SchedulerAlreadyActiveError' })
  await second.stop()
})
