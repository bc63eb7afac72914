import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deferred, Fixture, MINUTE, ms, SECOND } from '@kron/testkit/scheduler/conformance/fixture'

const AT = '2026-06-10T12:00:00Z'
const fail = () => Promise.reject(new Error('no'))

test('Task Lifecycle › a start is durable before the callback is called, and records the attempt', async () => {
  const world = new Fixture({ at: AT })
  const seen: unknown[] = []
  await world.scheduler.initialize([world.task('a', '* * * * *', 0, () => seen.push(world.record('a')))])
  await world.run(SECOND)
  assert.deepEqual(seen, [
    {
      name: 'a',
      cronExpression: '* * * * *',
      retryDelayMs: 0,
      firstSeenAt: ms(AT),
      lastAttemptAt: ms(AT),
      runningBy: 'instance-1',
    },
  ])
  assert.deepEqual(
    world.eventsOf('TaskRunStarted').map(({ taskName, cause }) => [taskName, cause]),
    [['a', 'occurrence']],
  )
})

test('Task Lifecycle › a success is recorded and clears what was pending', async () => {
  const world = new Fixture({ at: AT })
  let failing = true
  const work = () => (failing ? fail() : undefined)
  await world.scheduler.initialize([world.task('a', '0 12 * * *', '1m', work)])
  await world.run(30 * SECOND)
  failing = false
  await world.run(MINUTE)
  assert.deepEqual(world.record('a'), {
    name: 'a',
    cronExpression: '0 12 * * *',
    retryDelayMs: MINUTE,
    firstSeenAt: ms(AT),
    lastAttemptAt: ms(AT) + MINUTE,
    lastSuccessAt: ms(AT) + MINUTE,
    lastFailureAt: ms(AT),
  })
  assert.equal(world.eventsOf('TaskRunCompleted').length, 1)
})

test('Task Lifecycle › a failure is recorded and retried after the delay, counted from its end', async () => {
  const world = new Fixture({ at: AT })
  const gate = deferred()
  await world.scheduler.initialize([world.task('a', '0 12 * * *', '1m', () => gate.promise)])
  await world.run(20 * SECOND)
  const error = new Error('no')
  gate.reject(error)
  await world.run(SECOND)
  const end = ms(AT) + 20 * SECOND
  assert.deepEqual(world.record('a'), {
    name: 'a',
    cronExpression: '0 12 * * *',
    retryDelayMs: MINUTE,
    firstSeenAt: ms(AT),
    lastAttemptAt: ms(AT),
    lastFailureAt: end,
    pendingRetryUntil: end + MINUTE,
  })
  assert.deepEqual(
    world.eventsOf('TaskRunFailed').map(event => [event.endedAt, event.error, event.pendingRetryUntil]),
    [[end, error, end + MINUTE]],
  )
  await world.run(59 * SECOND)
  assert.equal(world.startsOf('a').length, 2)
  assert.deepEqual(
    world.eventsOf('TaskRetryStarted').map(event => event.at),
    [end + MINUTE],
  )
})

test('Task Lifecycle › a failure keeps the last success', async () => {
  const world = new Fixture({ at: AT })
  let runs = 0
  await world.scheduler.initialize([
    world.task('a', '* * * * *', '1h', () => (++runs === 2 ? fail() : undefined)),
  ])
  await world.run(MINUTE + SECOND)
  const { lastSuccessAt, lastFailureAt } = world.record('a')!
  assert.deepEqual([lastSuccessAt, lastFailureAt], [ms(AT), ms(AT) + MINUTE])
})

test('Task Lifecycle › a callback that throws at once has failed', async () => {
  const world = new Fixture({ at: AT })
  const work = () => {
    throw new Error('at once')
  }
  await world.scheduler.initialize([world.task('a', '0 12 * * *', '1m', work)])
  await world.run(SECOND)
  assert.equal(world.eventsOf('TaskRunFailed').length, 1)
})

test('Task Lifecycle › a callback whose result cannot be looked at has failed', async () => {
  const world = new Fixture({ at: AT })
  const error = new Error('no then')
  const refuse = () => {
    throw error
  }
  const work = () => new Proxy({}, { get: refuse })
  await world.scheduler.initialize([world.task('a', '0 12 * * *', '1m', work), world.task('b', '* * * * *')])
  await world.run(MINUTE + SECOND)
  assert.deepEqual(
    world.eventsOf('TaskRunFailed').map(event => [event.taskName, event.error]),
    [
      ['a', error],
      ['a', error],
    ],
  )
  assert.equal(world.startsOf('b').length, 2)
  await world.scheduler.stop()
})

test('Task Lifecycle › a new occurrence preempts a pending retry, and clears it', async () => {
  const world = new Fixture({ at: AT })
  let failing = true
  const work = () => (failing ? fail() : undefined)
  await world.scheduler.initialize([world.task('a', '* * * * *', '90s', work)])
  await world.run(30 * SECOND)
  failing = false
  await world.run(5 * MINUTE)
  assert.deepEqual(world.events.flatMap(event => ('taskName' in event ? [event.type] : [])).slice(0, 5), [
    'TaskRunStarted',
    'TaskRunFailed',
    'TaskRetryPreempted',
    'TaskRunStarted',
    'TaskRunCompleted',
  ])
  assert.equal(world.eventsOf('TaskRetryStarted').length, 0)
  assert.equal(world.record('a')?.pendingRetryUntil, undefined)
})

test('Task Lifecycle › a retry and an occurrence due together are one run', async () => {
  const world = new Fixture({ at: AT })
  let failing = true
  const work = () => (failing ? fail() : undefined)
  await world.scheduler.initialize([world.task('a', '* * * * *', '1m', work)])
  await world.run(SECOND)
  failing = false
  await world.run(MINUTE)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:00:00.000Z', '2026-06-10T12:01:00.000Z'])
  assert.equal(world.eventsOf('TaskRetryPreempted').length, 1)
})

test('Task Lifecycle › a delay of 0 retries without starving the others', async () => {
  const world = new Fixture({ at: '2026-06-10T11:59:59Z' })
  // A timer of 0 ms takes one millisecond, as in Node.
  const { clock } = world
  const setTimer = clock.setTimer.bind(clock)
  clock.setTimer = (milliseconds, fire) => setTimer(Math.max(1, milliseconds), fire)
  await world.scheduler.initialize([world.task('a', '59 11 * * *', 0, fail), world.task('b', '0 12 * * *')])
  await world.run(2 * SECOND)
  assert.ok(world.startsOf('a').length > 500)
  assert.deepEqual(world.startsOf('b'), ['2026-06-10T12:00:00.000Z'])
})

test('Task Lifecycle › between two retries without delay the event loop turns', async () => {
  const { makeScheduler, memoryStore } = await import('../index.ts')
  const turnOf: number[] = []
  let turns = 0
  let turning = true
  const turn = () => {
    turns++
    if (turning) setImmediate(turn)
  }
  const scheduler = makeScheduler({
    store: memoryStore(),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  })
  const enough = deferred()
  const work = () => {
    turnOf.push(turns)
    if (turnOf.length === 50) enough.resolve()
    throw new Error('no')
  }
  await scheduler.initialize([['a', '* * * * *', work, 0]])
  turn()
  await enough.promise
  await scheduler.stop()
  turning = false
  for (const [run, turn] of turnOf.entries())
    if (run > 0) assert.ok(turn > turnOf[run - 1]!, `runs ${run} and ${run + 1} in turn ${turn}`)
})

test('Task Lifecycle › whatever is stored of a task, it is in exactly one state', async () => {
  const world = new Fixture({ at: AT })
  const states = new Set<string>()
  let runs = 0
  const work = () => (++runs % 3 === 0 ? fail() : undefined)
  await world.scheduler.initialize([world.task('a', '* * * * *', '20s', work)])
  await world.run(10 * MINUTE)
  for (const { put } of world.store.commits) {
    for (const { runningBy, pendingRetryUntil } of put) {
      assert.ok(runningBy === undefined || pendingRetryUntil === undefined)
      states.add(runningBy ?? (pendingRetryUntil === undefined ? 'awaiting run' : 'awaiting retry'))
    }
  }
  assert.deepEqual([...states].sort(), ['awaiting retry', 'awaiting run', 'instance-1'])
})
