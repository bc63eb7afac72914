import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deferred, Fixture, MINUTE, SECOND, silent } from '@kron/testkit/scheduler/conformance/fixture'
import type { Logger } from '../index.ts'

const AT = '2026-06-10T12:00:00Z'

test('Parallel Execution › several tasks run at once', async () => {
  const world = new Fixture({ at: AT })
  const gate = deferred()
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await gate.promise
    running--
  }
  await world.scheduler.initialize(['a', 'b', 'c'].map(name => world.task(name, '* * * * *', 0, work)))
  await world.run(SECOND)
  gate.resolve()
  await world.run(SECOND)
  assert.deepEqual([most, running], [3, 0])
})

test('Parallel Execution › one task never runs twice at once', async () => {
  const world = new Fixture({ at: AT })
  let running = 0
  const work = async () => {
    assert.equal(++running, 1)
    await new Promise<void>(resolve => world.clock.setTimer(150 * SECOND, resolve))
    running--
    if (world.startsOf('a').length % 2 === 1) throw new Error('every other time')
  }
  await world.scheduler.initialize([world.task('a', '* * * * *', 0, work)])
  await world.run(30 * MINUTE)
  assert.ok(world.startsOf('a').length > 10)
})

test('Reentrancy Protection › of concurrent calls of initialize only the first proceeds', async () => {
  const world = new Fixture({ at: AT })
  const calls = [1, 2, 3].map(() => world.scheduler.initialize([world.task('a', '* * * * *')]))
  const settled = await Promise.allSettled(calls)
  assert.deepEqual(
    settled.map(call => (call.status === 'rejected' ? call.reason.name : call.status)),
    ['fulfilled', 'SchedulerAlreadyActiveError', 'SchedulerAlreadyActiveError'],
  )
  assert.equal(world.store.loads, 1)
})

test('Reentrancy Protection › stop may be called before, twice and concurrently', async () => {
  const world = new Fixture({ at: AT })
  await world.scheduler.stop()
  await world.scheduler.initialize([world.task('a', '* * * * *')])
  await Promise.all([world.scheduler.stop(), world.scheduler.stop()])
  await world.scheduler.stop()
  assert.equal(world.eventsOf('SchedulerStopped').length, 1)
})

test('Reentrancy Protection › stop during initialize waits for it; it resolves, but starts nothing', async () => {
  const world = new Fixture({ at: AT })
  const gate = deferred()
  world.store.gate = gate.promise
  const order: string[] = []
  const initialized = world.scheduler
    .initialize([world.task('a', '* * * * *')])
    .then(() => order.push('initialized'))
  const stopped = world.scheduler.stop().then(() => order.push('stopped'))
  await world.run(SECOND)
  assert.deepEqual(order, [])
  gate.resolve()
  await world.run(SECOND)
  await Promise.all([initialized, stopped])
  assert.deepEqual(order, ['initialized', 'stopped'])
  await world.run(5 * MINUTE)
  assert.deepEqual(world.startsOf('a'), [])
  assert.equal(world.record('a')?.name, 'a')
})

test('Reentrancy Protection › stop during an initialize that fails resolves', async () => {
  const world = new Fixture({ at: AT })
  world.store.failing.set('load', new Error('no'))
  const initialized = assert.rejects(world.scheduler.initialize([]))
  await world.scheduler.stop()
  await initialized
  world.store.failing.clear()
  await world.scheduler.initialize([])
})

test('Reentrancy Protection › stop inside a callback is refused, because it would wait for itself', async () => {
  const world = new Fixture({ at: AT })
  let refused: unknown
  const work = async () => {
    await Promise.resolve()
    refused = await world.scheduler.stop().catch(error => error)
  }
  await world.scheduler.initialize([world.task('a', '0 12 * * *', 0, work)])
  await world.run(SECOND)
  assert.ok(refused instanceof Error)
  assert.equal(refused.name, 'SchedulerStopInCallbackError')
  assert.deepEqual((refused as Error & { details: unknown }).details, { taskName: 'a' })
  assert.match(refused.message, /^Cannot stop scheduler from inside the callback of task "a"/)
  assert.equal(world.eventsOf('SchedulerStopRequested').length, 0)
  await world.scheduler.stop()
})

test('Reentrancy Protection › what a callback leaves behind may stop the scheduler', async () => {
  const world = new Fixture({ at: AT })
  const stopped = deferred()
  const work = () => {
    world.clock.setTimer(5 * SECOND, () => world.scheduler.stop().then(stopped.resolve, stopped.reject))
  }
  await world.scheduler.initialize([world.task('a', '0 12 * * *', 0, work)])
  await world.run(10 * SECOND)
  await stopped.promise
})

test('Reentrancy Protection › callbacks of one minute are told apart, whatever each leaves behind', async () => {
  const world = new Fixture({ at: AT })
  const gate = deferred()
  const refused: unknown[] = []
  const slow = async () => {
    await gate.promise
    // The call is not awaited: a stop that is not refused would wait for this callback.
    world.scheduler.stop().catch(error => refused.push(error.details.taskName))
  }
  let left: Promise<void> | undefined
  const quick = () => {
    setImmediate(() => {
      left = world.scheduler.stop()
    })
  }
  await world.scheduler.initialize([
    world.task('a', '0 12 * * *', 0, slow),
    world.task('b', '0 12 * * *', 0, quick),
    world.task('c', '0 12 * * *', 0, slow),
  ])
  await world.run(SECOND)
  while (left === undefined) await new Promise(resolve => setImmediate(resolve))
  gate.resolve()
  await world.run(SECOND)
  await left
  assert.deepEqual(refused, ['a', 'c'])
  assert.equal(world.eventsOf('SchedulerStopped').length, 1)
})

test('Reentrancy Protection › a listener may stop the scheduler, also in the middle of starts', async () => {
  const world = new Fixture({ at: AT })
  await world.scheduler.initialize(['a', 'b', 'c'].map(name => world.task(name, '* * * * *')))
  let stopped: Promise<void> | undefined
  const push = world.events.push.bind(world.events)
  world.events.push = (...events) => {
    if (events[0]?.type === 'TaskRunStarted') stopped ??= world.scheduler.stop()
    return push(...events)
  }
  await world.run(SECOND)
  await stopped
  assert.equal(world.starts.size, 1)
  // The withdrawn starts leave no trace in the store.
  assert.ok([...world.store.records.values()].every(record => record.runningBy === undefined))
  await world.newInstance().initialize(['a', 'b', 'c'].map(name => world.task(name, '* * * * *')))
  await world.run(SECOND)
  assert.equal(world.starts.size, 3)
  assert.equal(world.eventsOf('TaskOrphaned').length, 0)
})

test('Reentrancy Protection › a listener may stop the scheduler while another callback is at work', async () => {
  for (const later of [false, true]) {
    const world = new Fixture({ at: AT })
    const gate = deferred()
    const stops: Promise<void>[] = []
    const push = world.events.push.bind(world.events)
    world.events.push = (...events) => {
      const [event] = events
      if (event?.type === 'TaskRunStarted' && event.taskName === 'b') {
        if (later) setImmediate(() => stops.push(world.scheduler.stop()))
        else stops.push(world.scheduler.stop())
      }
      return push(...events)
    }
    await world.scheduler.initialize([
      world.task('a', '* * * * *', 0, () => gate.promise),
      world.task('b', '* * * * *'),
    ])
    await world.run(SECOND)
    while (stops.length === 0) await new Promise(resolve => setImmediate(resolve))
    gate.resolve()
    await world.run(SECOND)
    await Promise.all(stops)
    assert.equal(world.eventsOf('SchedulerStopped').length, 1)
  }
})

test('Resource Management › stop waits for all running callbacks', async () => {
  const world = new Fixture({ at: AT })
  const gates = [deferred(), deferred()]
  await world.scheduler.initialize([
    world.task('a', '* * * * *', 0, () => gates[0]!.promise),
    world.task('b', '* * * * *', 0, () => gates[1]!.promise),
  ])
  await world.run(SECOND)
  let done = false
  const stopped = world.scheduler.stop().then(() => {
    done = true
  })
  gates[0]!.resolve()
  await world.run(10 * MINUTE)
  assert.equal(done, false)
  gates[1]!.resolve()
  await world.run(SECOND)
  await stopped
  assert.deepEqual(world.startsOf('b').length, 1)
  assert.ok([...world.store.records.values()].every(record => record.runningBy === undefined))
})

test('Resource Management › polling is cleaned up though a callback fails while stopping', async () => {
  const world = new Fixture({ at: AT })
  const gate = deferred()
  await world.scheduler.initialize([world.task('a', '* * * * *', '1m', () => gate.promise)])
  await world.run(SECOND)
  const stopped = world.scheduler.stop()
  gate.reject(new Error('no'))
  await world.run(SECOND)
  await stopped
  assert.equal(world.clock.timerCount, 0)
  assert.equal(world.record('a')?.pendingRetryUntil, world.clock.now() - SECOND + MINUTE)
})

test('Resource Management › a start that became durable only after stop was called does not happen', async () => {
  const world = new Fixture({ at: AT })
  const gate = deferred()
  await world.scheduler.initialize([world.task('a', '1 12 * * *')])
  world.store.gate = gate.promise
  await world.run(MINUTE)
  const before = world.record('a')
  const stopped = world.scheduler.stop()
  gate.resolve()
  await world.run(SECOND)
  await stopped
  assert.deepEqual(world.startsOf('a'), [])
  assert.deepEqual(world.record('a'), before)
})

test('Resource Management › a task that fails does not affect the others', async () => {
  const world = new Fixture({ at: AT })
  const fail = () => {
    throw new Error('no')
  }
  await world.scheduler.initialize([
    world.task('bad', '* * * * *', '1h', fail),
    world.task('good', '* * * * *'),
  ])
  await world.run(3 * MINUTE + SECOND)
  assert.equal(world.startsOf('good').length, 4)
  assert.equal(world.startsOf('bad').length, 4)
})

test('Resource Management › a listener or a logger that throws disturbs nothing', async () => {
  const { makeScheduler } = await import('../index.ts')
  const world = new Fixture({ at: AT })
  const fail = () => {
    throw new Error('no')
  }
  const scheduler = makeScheduler({
    store: world.store,
    clock: Object.assign(world.clock, { timeZone: () => 'UTC' }),
    logger: { debug: fail, info: fail, warn: fail, error: fail },
    onEvent: fail,
  })
  await scheduler.initialize([world.task('a', '* * * * *')])
  await world.run(MINUTE + SECOND)
  assert.equal(world.startsOf('a').length, 2)
  await scheduler.stop()
})

test('Resource Management › a logger that throws or lacks a method keeps no event from the listener', async () => {
  const { makeScheduler } = await import('../index.ts')
  const fail = () => {
    throw new Error('no')
  }
  for (const logger of [{ debug: fail, info: fail, warn: fail, error: fail }, {}]) {
    const world = new Fixture({ at: AT })
    const types: string[] = []
    const scheduler = makeScheduler({
      store: world.store,
      clock: Object.assign(world.clock, { timeZone: () => 'UTC' }),
      logger: logger as Logger,
      onEvent: event => types.push(event.type),
    })
    await scheduler.initialize([world.task('a', '* * * * *')])
    await world.run(SECOND)
    await scheduler.stop()
    for (const type of [
      'SchedulerInitializationStarted',
      'TaskRunStarted',
      'TaskRunCompleted',
      'SchedulerStopped',
    ])
      assert.ok(types.includes(type), type)
  }
})

test('Resource Management › a listener that rejects is logged and disturbs nothing', async () => {
  const { makeScheduler } = await import('../index.ts')
  const world = new Fixture({ at: AT })
  const logged: string[] = []
  const scheduler = makeScheduler({
    store: world.store,
    clock: Object.assign(world.clock, { timeZone: () => 'UTC' }),
    logger: { ...silent, error: (_, message) => logged.push(message) },
    // The test runner treats an unhandled rejection as a failure.
    onEvent: () => Promise.reject(new Error('no')),
  })
  await scheduler.initialize([world.task('a', '* * * * *')])
  await world.run(SECOND)
  await scheduler.stop()
  assert.equal(world.startsOf('a').length, 1)
  assert.ok(logged.includes('the listener failed on TaskRunStarted'), logged.join())
})
