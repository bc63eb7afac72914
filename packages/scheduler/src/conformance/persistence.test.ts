import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deferred, Fixture, HOUR, MINUTE, ms, SECOND } from '@kron/testkit/scheduler/conformance/fixture'
import type { TaskRecord } from '../index.ts'

const AT = '2026-06-10T12:30:00Z'
const known: TaskRecord = {
  name: 'a',
  cronExpression: '0 * * * *',
  retryDelayMs: MINUTE,
  firstSeenAt: ms('2026-06-01T00:00:00Z'),
  lastAttemptAt: ms('2026-06-10T12:00:00Z'),
  lastSuccessAt: ms('2026-06-10T12:00:01Z'),
  lastFailureAt: ms('2026-06-09T12:00:00Z'),
}

test('Override Resolution › a new task is created', async () => {
  const world = new Fixture({ at: AT })
  await world.scheduler.initialize([world.task('a', '0 * * * *', '1m')])
  assert.deepEqual(world.eventsOf('StateReconciled'), [
    { type: 'StateReconciled', at: ms(AT), created: 1, removed: 0, changed: 0, preserved: 0 },
  ])
  assert.deepEqual(world.record('a'), {
    name: 'a',
    cronExpression: '0 * * * *',
    retryDelayMs: MINUTE,
    firstSeenAt: ms(AT),
  })
})

test('Override Resolution › a preserved task keeps its state and nothing is written', async () => {
  const world = new Fixture({ at: AT, records: [known] })
  await world.scheduler.initialize([world.task('a', '0 * * * *', '60s')])
  assert.deepEqual(world.record('a'), known)
  assert.equal(world.store.commits.length, 0)
  assert.equal(world.eventsOf('StateReconciled')[0]?.preserved, 1)
})

test('Override Resolution › an overridden task gets the new configuration and keeps its history', async () => {
  const pendingRetryUntil = ms('2026-06-10T12:45:00Z')
  const world = new Fixture({ at: AT, records: [{ ...known, pendingRetryUntil }] })
  await world.scheduler.initialize([world.task('a', '0 0 * * *', '2m')])
  assert.deepEqual(world.record('a'), {
    ...known,
    pendingRetryUntil,
    cronExpression: '0 0 * * *',
    retryDelayMs: 2 * MINUTE,
  })
  assert.equal(world.eventsOf('StateReconciled')[0]?.changed, 1)
  await world.run(HOUR)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:45:00.000Z'])
})

test('Override Resolution › an overridden task is evaluated anew at once', async () => {
  const world = new Fixture({ at: AT, records: [known] })
  await world.scheduler.initialize([world.task('a', '15 * * * *', '1m')])
  await world.run(SECOND)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:30:00.000Z'])
})

test('Override Resolution › an override gives a task that never ran no claim to the minute it was first seen in', async () => {
  const { lastAttemptAt: _, lastSuccessAt: __, lastFailureAt: ___, ...fresh } = known
  const world = new Fixture({
    at: AT,
    records: [{ ...fresh, cronExpression: '0 0 * * *', firstSeenAt: ms(AT) }],
  })
  await world.run(10 * SECOND)
  await world.scheduler.initialize([world.task('a', '30 12 * * *', '1m')])
  await world.run(HOUR)
  assert.deepEqual(world.startsOf('a'), [])
})

test('Override Resolution › a task that never ran owes the minute after the one it was first seen in, whatever its overrides', async () => {
  const { lastAttemptAt: _, lastSuccessAt: __, lastFailureAt: ___, ...fresh } = known
  const world = new Fixture({
    at: AT,
    records: [{ ...fresh, cronExpression: '0 0 * * *', firstSeenAt: ms(AT) }],
  })
  for (const cron of ['30 12 * * *', '31 12 * * *']) {
    await world.scheduler.initialize([world.task('a', cron, '1m')])
    await world.run(10 * SECOND)
    await world.scheduler.stop()
  }
  await world.scheduler.initialize([world.task('a', '30,31 12 * * *', '1m')])
  assert.equal(world.record('a')?.firstSeenAt, ms(AT))
  await world.run(HOUR)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:31:00.000Z'])
})

test('Override Resolution › a task that is no longer registered is removed', async () => {
  const world = new Fixture({ at: AT, records: [known, { ...known, name: 'b' }] })
  await world.scheduler.initialize([world.task('b', '0 * * * *', '1m')])
  assert.deepEqual([...world.store.records.keys()], ['b'])
  assert.equal(world.eventsOf('StateReconciled')[0]?.removed, 1)
})

test('Override Resolution › an orphaned task restarts at once, once, under the new owner', async () => {
  const world = new Fixture({ at: AT, records: [{ ...known, runningBy: 'somebody else' }] })
  const gate = deferred()
  await world.scheduler.initialize([world.task('a', '0 * * * *', '1m', () => gate.promise)])
  await world.run(10 * MINUTE)
  assert.deepEqual(world.startsOf('a'), ['2026-06-10T12:30:00.000Z'])
  assert.deepEqual(world.eventsOf('TaskOrphaned'), [
    {
      type: 'TaskOrphaned',
      at: ms(AT),
      taskName: 'a',
      previousOwner: 'somebody else',
      currentOwner: 'instance-1',
    },
  ])
  assert.equal(world.record('a')?.runningBy, 'instance-1')
  gate.resolve()
  await world.run(10 * MINUTE)
  assert.equal(world.startsOf('a').length, 1)
})

test('Override Resolution › being orphaned beats being overridden', async () => {
  const world = new Fixture({ at: AT, records: [{ ...known, runningBy: 'somebody else' }] })
  await world.scheduler.initialize([world.task('a', '0 0 1 1 *', '2m')])
  assert.equal(world.record('a')?.cronExpression, '0 0 1 1 *')
  await world.run(SECOND)
  assert.equal(world.startsOf('a').length, 1)
})

test('Override Resolution › an orphan that is not restarted stays one', async () => {
  const world = new Fixture({ at: AT, records: [{ ...known, runningBy: 'somebody else' }] })
  await Promise.all([
    world.scheduler.initialize([world.task('a', '0 * * * *', '1m')]),
    world.scheduler.stop(),
  ])
  await world.newInstance().initialize([world.task('a', '0 * * * *', '1m')])
  await world.run(SECOND)
  assert.equal(world.startsOf('a').length, 1)
})

test('Configuration Comparison › expressions and delays are compared as written', async () => {
  for (const [cron, delay, changed] of [
    ['0 * * * *', '1m', 0],
    ['0 * * * *', 60_000, 0],
    ['00 * * * *', '1m', 1],
    ['0  * * * *', '1m', 1],
    ['0 * * * *', '61s', 1],
  ] as const) {
    const world = new Fixture({ at: AT, records: [known] })
    await world.scheduler.initialize([world.task('a', cron, delay)])
    assert.equal(world.eventsOf('StateReconciled')[0]?.changed, changed, `${cron} ${delay}`)
  }
})

test('Scheduler Identifier › it is unique by default', async () => {
  const { makeScheduler } = await import('../index.ts')
  const owners = new Set<unknown>()
  const world = new Fixture({ at: AT })
  for (let round = 0; round < 2; round++) {
    const running = deferred()
    const scheduler = makeScheduler({
      store: world.store,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    })
    const look = () => {
      owners.add(world.record(`task-${round}`)?.runningBy)
      running.resolve()
    }
    await scheduler.initialize([[`task-${round}`, '* * * * *', look, 0]])
    await running.promise
    await scheduler.stop()
  }
  assert.equal(owners.size, 2)
  assert.equal(owners.has(undefined), false)
})

test('Override Atomicity › all changes of an initialization are one commit', async () => {
  const world = new Fixture({ at: AT, records: [known, { ...known, name: 'gone' }] })
  await world.scheduler.initialize([world.task('a', '5 * * * *', '1m'), world.task('new', '0 * * * *')])
  assert.equal(world.store.commits.length, 1)
  const [{ put, remove }] = world.store.commits as [(typeof world.store.commits)[0]]
  assert.deepEqual([put.map(record => record.name), remove], [['a', 'new'], ['gone']])
})

test('Override Atomicity › if the commit fails, nothing has changed and initialize rejects', async () => {
  const world = new Fixture({ at: AT, records: [known] })
  world.store.failing.set('commit', new Error('disk full'))
  await assert.rejects(world.scheduler.initialize([world.task('a', '* * * * *', '1m')]), {
    name: 'SchedulerInitializationError',
  })
  assert.deepEqual(world.record('a'), known)
  await world.run(5 * MINUTE)
  assert.deepEqual(world.startsOf('a'), [])
  assert.equal(world.store.closes, 1)
  world.store.failing.clear()
  await world.scheduler.initialize([world.task('a', '* * * * *', '1m')])
})

test('Task State Management Errors › a damaged record is reported, and its task is new', async () => {
  const damaged = { ...known, retryDelayMs: 'soon' } as unknown as TaskRecord
  const world = new Fixture({ at: AT, records: [damaged, { ...damaged, name: 'gone' }] })
  await world.scheduler.initialize([world.task('a', '0 * * * *', '1m')])
  assert.deepEqual(
    world.eventsOf('TaskRecordDamaged').map(event => [event.taskName, event.error.name]),
    [
      ['a', 'TaskInvalidTypeError'],
      ['gone', 'TaskInvalidTypeError'],
    ],
  )
  assert.equal(world.record('a')?.firstSeenAt, ms(AT))
  assert.deepEqual([...world.store.records.keys()], ['a'])
})

test('Task State Management Errors › what is not even a record is reported too', async () => {
  const world = new Fixture({ at: AT })
  world.store.load = async () => [null, 7, { name: 5 }] as unknown as TaskRecord[]
  await world.scheduler.initialize([world.task('a', '0 * * * *')])
  assert.deepEqual(
    world.eventsOf('TaskRecordDamaged').map(event => event.error.name),
    ['TaskInvalidStructureError', 'TaskInvalidStructureError', 'TaskInvalidTypeError'],
  )
})
