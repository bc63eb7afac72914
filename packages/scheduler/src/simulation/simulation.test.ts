import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoreSabotage } from '@kron/testkit/scheduler/simulation/disk-store'
import { simulateScheduler } from '@kron/testkit/scheduler/simulation/scheduler-campaign'
import { SchedulerHistory } from '@kron/testkit/scheduler/simulation/scheduler-history'
import { SCHEDULER_FAULTS } from '@kron/testkit/scheduler/simulation/scheduler-tally'
import type { Axiom, TaskRecord } from '../index.ts'

const YEAR = 365 * 86_400
/** These faults are so rare that a few years may pass without one. */
const RARE = new Set(['reorderedWrite'])

test('simulation: random histories of schedulers on a failing disk obey the theory', async () => {
  const occurred = new Set<string>()
  for (let seed = 0; seed < 6; seed++) {
    const { tally, violation } = await simulateScheduler(seed, YEAR)
    assert.equal(violation, undefined, `seed ${seed}: ${violation?.message}`)
    for (const kind of SCHEDULER_FAULTS) if (tally.faults[kind] > 0) occurred.add(kind)
  }
  const missing = SCHEDULER_FAULTS.filter(kind => !occurred.has(kind) && !RARE.has(kind))
  assert.deepEqual(missing, [], 'kinds of fault that did not occur')
})

test('simulation: the same seed gives the same trace', async () => {
  const [first, second] = [new SchedulerHistory(5), new SchedulerHistory(5)]
  await first!.live(YEAR / 8)
  await second!.live(YEAR / 8)
  const seen = (history: SchedulerHistory) => history.trace.events.map(({ at, kind }) => `${at} ${kind}`)
  assert.ok(seen(first!).length > 100)
  assert.deepEqual(seen(first!), seen(second!))
})

/** Simulates histories of a broken scheduler until one violates the theory. */
async function firstViolation(sabotage: StoreSabotage): Promise<Axiom | undefined> {
  for (let seed = 0; seed < 20; seed++) {
    const { violation } = await simulateScheduler(seed, YEAR, sabotage)
    if (violation !== undefined) return violation.axiom
  }
  return undefined
}

const without = (record: TaskRecord, key: keyof TaskRecord): TaskRecord => {
  const { [key]: _, ...rest } = record
  return rest as TaskRecord
}

test('S1: a scheduler that forgets when a task last ran is caught', async () => {
  const load = (records: readonly TaskRecord[]) => records.map(each => without(each, 'lastAttemptAt'))
  assert.equal(await firstViolation({ load }), 'S1')
})

test('L1: a scheduler that stores nothing is caught', async () => {
  const commit = () => ({ put: [], remove: [] })
  assert.equal(await firstViolation({ commit }), 'L1')
})

test('S1: a scheduler that skips the fsync is caught', async () => {
  assert.equal(await firstViolation({ skipsFsync: true }), 'S1')
})

test('L1: a scheduler that believes what a dead one wrote without making it durable is caught', async () => {
  assert.equal(await firstViolation({ skipsFsyncAtLoad: true }), 'L1')
})

test('L1: a scheduler that forgets who was running is caught', async () => {
  const load = (records: readonly TaskRecord[]) => records.map(each => without(each, 'runningBy'))
  assert.equal(await firstViolation({ load }), 'L1')
})
