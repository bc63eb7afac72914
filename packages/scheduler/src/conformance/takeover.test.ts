import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deferred,
  Fixture,
  MINUTE,
  ProbeStore,
  SECOND,
  silent,
} from '@kron/testkit/scheduler/conformance/fixture'
import { makeScheduler, StoreLostError, type StoreSession, virtualClock } from '../index.ts'

test('Takeover › an instance that another one replaced lets its callbacks end, loads again and goes on', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  const gate = deferred()
  await world.scheduler.initialize([
    world.task('long', '0 12 * * *', 0, () => gate.promise),
    world.task('short', '* * * * *'),
  ])
  await world.run(SECOND)
  world.store.failing.set('commit', new StoreLostError('test'))
  await world.run(MINUTE)
  assert.equal(world.store.loads, 1, 'a callback is still at work')
  assert.equal(world.startsOf('short').length, 1)
  // Meanwhile, the other instance took the run for an orphan, restarted it and finished it.
  const { runningBy: _, ...ended } = world.record('long')!
  world.store.records.set('long', { ...ended, lastSuccessAt: ended.firstSeenAt + SECOND })
  world.store.failing.clear()
  gate.resolve()
  await world.run(MINUTE)
  assert.equal(world.store.loads, 2)
  assert.deepEqual(world.startsOf('long').length, 1)
  assert.ok(world.startsOf('short').length >= 2)
  assert.deepEqual(world.eventsOf('SchedulerInitializationCompleted').length, 1)
})

test('Takeover › it keeps its name: the identifier is asked for once per initialization', async () => {
  const clock = virtualClock('2026-06-10T12:00:00Z')
  const store = new ProbeStore()
  let asked = 0
  const scheduler = makeScheduler({ store, clock, logger: silent, identifier: () => `name-${++asked}` })
  const list = [['a', '* * * * *', () => {}, 0]] as const
  await scheduler.initialize(list)
  await clock.run(SECOND)
  store.failing.set('commit', new StoreLostError('test'))
  await clock.run(MINUTE)
  store.failing.clear()
  await clock.run(MINUTE)
  assert.ok(store.loads > 1)
  assert.equal(asked, 1)
  await Promise.all([scheduler.stop(), clock.run(SECOND)])
  await scheduler.initialize(list)
  assert.equal(asked, 2)
})

test('Takeover › a standby that is stopped gives up: its initialization rejects and says why', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  const load = world.store.load.bind(world.store)
  world.store.load = (session?: StoreSession) => {
    session?.onStandby()
    return new Promise<never>(() => {})
  }
  const list = [world.task('a', '* * * * *')]
  const initialized = assert.rejects(world.scheduler.initialize(list), {
    name: 'SchedulerInitializationError',
    message:
      'Cannot initialize scheduler: failed to load the store: the scheduler was stopped while another instance is active',
  })
  await world.run(10 * MINUTE)
  assert.deepEqual(world.types(), ['SchedulerInitializationStarted', 'standby'])
  await world.scheduler.stop()
  await initialized
  assert.equal(world.types().at(-1), 'SchedulerInitializationFailed')
  assert.equal(world.clock.timerCount, 0)
  world.store.load = load
  await world.scheduler.initialize(list)
})

test('Takeover › a stop while waiting to take over again resolves', async () => {
  const world = new Fixture({ at: '2026-06-10T12:00:00Z' })
  await world.scheduler.initialize([world.task('a', '* * * * *')])
  await world.run(SECOND)
  world.store.failing.set('commit', new StoreLostError('test'))
  world.store.failing.set('load', new Error('no connection'))
  await world.run(10 * MINUTE)
  assert.ok(world.store.loads > 2, 'it tries again and again')
  await Promise.all([world.scheduler.stop(), world.run(SECOND)])
  assert.equal(world.types().at(-1), 'SchedulerStopped')
  assert.equal(world.clock.timerCount, 0)
})
