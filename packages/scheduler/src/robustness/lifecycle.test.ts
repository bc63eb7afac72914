import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fixture, SECOND, silent } from '../conformance/fixture.test-support.ts'
import { makeScheduler, memoryStore, type Scheduler, virtualClock } from '../index.ts'

const AT = '2026-06-10T12:00:00Z'

test('two schedulers on one memory store: the second is refused, and may try again after the first has stopped', async () => {
  const store = memoryStore()
  const clock = virtualClock(AT)
  const first = makeScheduler({ store, clock, logger: silent })
  const second = makeScheduler({ store, clock, logger: silent })
  await first.initialize([])
  await assert.rejects(
    second.initialize([]),
    /the memory store is open already: a store is for one scheduler/,
  )
  await first.stop()
  await second.initialize([])
  await second.stop()
})

test('stop waits for an initialize that a listener began when it heard of a failure', async () => {
  const world = new Fixture({ at: AT })
  let tries = 0
  let again: Promise<void> | undefined
  const scheduler: Scheduler = makeScheduler({
    store: {
      load: async () => {
        await new Promise(resolve => setImmediate(resolve))
        if (++tries === 1) throw new Error('not yet')
        return []
      },
      commit: async () => {},
      close: () => {},
    },
    clock: Object.assign(world.clock, { timeZone: () => 'UTC' }),
    logger: silent,
    onEvent: event => {
      if (event.type === 'SchedulerInitializationFailed')
        again = scheduler.initialize([world.task('a', '* * * * *')])
    },
  })
  const first = scheduler.initialize([])
  const stopped = scheduler.stop()
  await assert.rejects(first)
  await stopped
  await again
  await world.run(SECOND)
  assert.equal(tries, 2)
  assert.deepEqual(world.startsOf('a'), [])
  // It is stopped, so it may be initialized again.
  await scheduler.initialize([])
  await scheduler.stop()
})

test('an initialize that a listener begins when it hears of the stop begins a new life', async () => {
  const world = new Fixture({ at: AT })
  let again: Promise<void> | undefined
  const scheduler: Scheduler = makeScheduler({
    store: world.store,
    clock: Object.assign(world.clock, { timeZone: () => 'UTC' }),
    logger: silent,
    onEvent: event => {
      if (event.type === 'SchedulerStopped' && again === undefined)
        again = scheduler.initialize([world.task('a', '* * * * *')])
    },
  })
  await scheduler.initialize([])
  await scheduler.stop()
  await again
  await world.run(SECOND)
  assert.equal(world.startsOf('a').length, 1)
  await scheduler.stop()
})

test('the logger is called as pino is: the data first, with the error where pino looks for it', async () => {
  const lines: unknown[][] = []
  const log = (...values: unknown[]) => void lines.push(values)
  const clock = virtualClock(AT)
  const scheduler = makeScheduler({
    store: memoryStore(),
    clock,
    logger: { debug: log, info: log, warn: log, error: log },
  })
  const failure = new Error('no')
  await scheduler.initialize([['a', '* * * * *', () => Promise.reject(failure), 60_000]])
  await clock.run(SECOND)
  await scheduler.stop()
  const [data, message] = lines.find(([, each]) => each === 'TaskRunFailed') ?? []
  assert.equal(message, 'TaskRunFailed')
  const { taskName, err } = data as { taskName: string; err: unknown }
  assert.equal(taskName, 'a')
  assert.equal(err, failure)
})
