import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DiskFile, VirtualDisk } from '@kron/runtime'
import { diskWith } from '@kron/testkit/disk/disk-with'
import { deferred, Fixture, MINUTE, SECOND, silent } from '@kron/testkit/scheduler/conformance/fixture'
import { fileStore, makeScheduler, type SchedulerEvent, virtualClock } from '../index.ts'

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
  assert.deepEqual(
    world.eventsOf('error').map(event => event.operation),
    ['stop', 'close'],
  )
  assert.equal(world.types().at(-1), 'SchedulerStopped')
  assert.equal(world.clock.timerCount, 0)
})

test('Failing Store › a stop is not held up by files that never answer', async () => {
  const disk = new VirtualDisk()
  let hangs = false
  const file = (inner: DiskFile): DiskFile => ({
    ...inner,
    appendDurably: bytes => (hangs ? new Promise(() => {}) : inner.appendDurably(bytes)),
  })
  const store = fileStore('/state/scheduler', {
    disk: diskWith(disk, { openToAppend: async path => file(await disk.openToAppend(path)) }),
    lock: () => ({ release() {} }),
  })
  const clock = virtualClock(AT)
  const scheduler = makeScheduler({ store, clock, logger: silent })
  const work = () => {
    hangs = true
  }
  await scheduler.initialize([['a', '* * * * *', work, 0]])
  while (!hangs) await clock.run(1)
  const stopped = scheduler.stop()
  await clock.run(MINUTE)
  await stopped
})

test('Failing Store › a stop is not held up by an initialization whose store can neither commit nor close', async () => {
  const world = new Fixture({ at: AT })
  world.store.failing.set('commit', DOWN)
  const commit = world.store.commit.bind(world.store)
  world.store.commit = change => {
    const done = commit(change)
    world.store.gate = new Promise(() => {})
    return done
  }
  const initialized = assert.rejects(world.scheduler.initialize([world.task('a', '* * * * *')]))
  const stopped = world.scheduler.stop()
  await world.run(MINUTE)
  await Promise.all([initialized, stopped])
})

test('Failing Store › a load that was given up and succeeds later is closed then', async () => {
  const world = new Fixture({ at: AT })
  const gate = deferred()
  world.store.load = async () => {
    await gate.promise
    return []
  }
  const initialized = assert.rejects(world.scheduler.initialize([world.task('a', '* * * * *')]), {
    message: 'Cannot initialize scheduler: failed to load the store: the store does not answer',
  })
  const stopped = world.scheduler.stop()
  await world.run(MINUTE)
  await Promise.all([initialized, stopped])
  assert.equal(world.store.closes, 0)
  gate.resolve()
  await world.run(SECOND)
  assert.equal(world.store.closes, 1)
})

test('Failing Store › a second scheduler on the same store is refused and does not disturb the first', async () => {
  const store = fileStore('/state/scheduler', { disk: new VirtualDisk(), lock: () => ({ release() {} }) })
  const clock = virtualClock(AT)
  const errors: unknown[] = []
  let runs = 0
  const list = [['a', '* * * * *', () => ++runs, 0]] as const
  const onEvent = (event: SchedulerEvent) => {
    if (event.type === 'error') errors.push(event.error)
  }
  const first = makeScheduler({ store, clock, logger: silent, onEvent })
  await first.initialize(list)
  for (let attempt = 0; attempt < 2; attempt++) {
    await assert.rejects(makeScheduler({ store, clock, logger: silent }).initialize(list), {
      name: 'SchedulerInitializationError',
      message: /scheduler is open already: a store is for one scheduler at a time$/,
    })
  }
  await clock.run(5 * MINUTE)
  assert.ok(runs >= 5, `${runs} runs`)
  assert.deepEqual(errors, [])
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
