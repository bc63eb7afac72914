import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fixture, SECOND, silent } from '@kron/testkit/scheduler/conformance/fixture'
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

test('stop waits for every initialize that a listener began when it heard of a failure', async () => {
  const world = new Fixture({ at: AT })
  let tries = 0
  let begun = 0
  let ended = 0
  const scheduler: Scheduler = makeScheduler({
    store: {
      load: async () => {
        await new Promise(resolve => setImmediate(resolve))
        if (++tries < 4) throw new Error('not yet')
        return []
      },
      commit: async () => {},
      close: () => {},
    },
    clock: Object.assign(world.clock, { timeZone: () => 'UTC' }),
    logger: silent,
    onEvent: event => {
      if (event.type !== 'SchedulerInitializationFailed') return
      begun++
      const end = () => void ended++
      scheduler.initialize([world.task('a', '* * * * *')]).then(end, end)
    },
  })
  const first = scheduler.initialize([])
  const stopped = scheduler.stop()
  await assert.rejects(first)
  await stopped
  assert.deepEqual([tries, begun, ended], [4, 3, 3])
  await world.run(SECOND)
  assert.deepEqual(world.startsOf('a'), [])
  // The scheduler is stopped, so it may be initialized again.
  await scheduler.initialize([])
  await scheduler.stop()
})

test('stop waits for an initialize that a listener began when it heard of the stop, which begins a new life', async () => {
  const world = new Fixture({ at: AT })
  let renewed: 'no' | 'begun' | 'done' = 'no'
  const scheduler: Scheduler = makeScheduler({
    store: world.store,
    clock: Object.assign(world.clock, { timeZone: () => 'UTC' }),
    logger: silent,
    onEvent: event => {
      if (event.type !== 'SchedulerStopped' || renewed !== 'no') return
      renewed = 'begun'
      scheduler.initialize([world.task('a', '* * * * *')]).then(() => {
        renewed = 'done'
      })
    },
  })
  await scheduler.initialize([])
  await scheduler.stop()
  assert.equal(renewed, 'done')
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
