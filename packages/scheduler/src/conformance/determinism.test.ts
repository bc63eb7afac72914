import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fixture, HOUR, MINUTE, SECOND } from '@kron/testkit/scheduler/conformance/fixture'

const AT = '2026-06-10T12:00:30Z'

test('Deterministic Behavior › the same list, state and time lead to the same starts', async () => {
  const history = async () => {
    const world = new Fixture({ at: AT, timeZone: 'Europe/Paris' })
    let runs = 0
    const work = () => (++runs % 3 === 0 ? Promise.reject(new Error('every third')) : undefined)
    const list = ['* * * * *', '7,21 * * * *', '0 14 * * *'].map((cron, index) =>
      world.task(`task-${index}`, cron, '90s', work),
    )
    await world.scheduler.initialize(list)
    await world.run(3 * HOUR)
    return { starts: world.starts, records: world.store.records, types: world.types() }
  }
  assert.deepEqual(await history(), await history())
})

test('Idempotency Guarantees › after a stop the same list changes nothing', async () => {
  const world = new Fixture({ at: AT })
  const list = [world.task('a', '0 * * * *', '1m'), world.task('b', '0 0 * * *')]
  await world.scheduler.initialize(list)
  await world.scheduler.stop()
  const before = structuredClone(world.store.records)
  world.store.commits.length = 0
  for (let round = 0; round < 3; round++) {
    await world.scheduler.initialize(list)
    await world.scheduler.stop()
  }
  assert.deepEqual(world.store.records, before)
  assert.equal(world.store.commits.length, 0)
})

test('Idempotency Guarantees › initializing again does not schedule twice', async () => {
  const world = new Fixture({ at: AT })
  const list = [world.task('a', '* * * * *')]
  for (let round = 0; round < 3; round++) {
    await world.scheduler.initialize(list)
    await world.run(SECOND)
    await world.scheduler.stop()
  }
  await world.scheduler.initialize(list)
  await world.run(5 * MINUTE)
  assert.equal(world.startsOf('a').length, 6)
})

test('Idempotency Guarantees › overrides are detected across several initializations', async () => {
  const world = new Fixture({ at: AT })
  for (const cron of ['0 * * * *', '5 * * * *', '5 * * * *', '0 * * * *']) {
    await world.scheduler.initialize([world.task('a', cron)])
    await world.scheduler.stop()
  }
  assert.deepEqual(
    world.eventsOf('StateReconciled').map(({ created, changed, preserved }) => [created, changed, preserved]),
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0, 1, 0],
    ],
  )
})

test('Idempotency Guarantees › a commit that was stored though it seemed to fail does no harm', async () => {
  const world = new Fixture({ at: AT })
  await world.scheduler.initialize([world.task('a', '1 12 * * *')])
  const commit = world.store.commit.bind(world.store)
  let answers = 0
  world.store.commit = async change => {
    await commit(change)
    if (++answers <= 2) throw new Error('the answer got lost')
  }
  await world.run(10 * MINUTE)
  assert.equal(world.startsOf('a').length, 1)
  assert.equal(world.record('a')?.runningBy, undefined)
})
