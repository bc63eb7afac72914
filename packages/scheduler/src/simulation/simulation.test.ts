import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoreSabotage } from '@kron/testkit/scheduler/simulation/disk-store'
import { PERMANENT_SEEDS } from '@kron/testkit/scheduler/simulation/permanent-seeds'
import { simulateScheduler } from '@kron/testkit/scheduler/simulation/scheduler-campaign'
import { SchedulerHistory } from '@kron/testkit/scheduler/simulation/scheduler-history'
import { SCHEDULER_FAULTS } from '@kron/testkit/scheduler/simulation/scheduler-tally'
import type { Axiom, Change, TaskRecord } from '../index.ts'

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

test('simulation: what was once found stays found', async () => {
  for (const { seed, found } of PERMANENT_SEEDS) {
    const { violation } = await simulateScheduler(seed, YEAR)
    assert.equal(violation, undefined, `seed ${seed}: ${found}`)
  }
})

/** The events of the first weeks of a history. */
async function eventsOf(history: SchedulerHistory): Promise<readonly string[]> {
  await history.live(YEAR / 8)
  return history.trace.events.map(event => `${event.at} ${event.kind} ${'task' in event ? event.task : ''}`)
}

test('simulation: the same seed gives the same trace', async () => {
  const events = await eventsOf(new SchedulerHistory(5))
  assert.ok(events.length > 100)
  assert.deepEqual(await eventsOf(new SchedulerHistory(5)), events)
})

test('simulation: passing over idle wake-ups changes nothing', async () => {
  // These seeds have no two timers whose order at one instant depends on the idle wake-ups.
  for (const seed of [1, 3, 4, 100352]) {
    const events = await eventsOf(new SchedulerHistory(seed))
    assert.deepEqual(await eventsOf(new SchedulerHistory(seed, {}, false)), events, `seed ${seed}`)
  }
})

/**
 * Simulates histories of a broken scheduler until one violates the theory. Few histories show some mistakes, so the search
 * for them begins at one that does.
 */
async function firstViolation(sabotage: StoreSabotage, from = 0): Promise<Axiom | undefined> {
  for (let seed = from; seed < from + 20; seed++) {
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
  assert.equal(await firstViolation({ skipsFsyncAtLoad: true }, 23), 'L1')
})

test('L1: a scheduler that never stores that the clock was set back is caught', async () => {
  const last = new Map<string, number>()
  const commit = ({ put, remove }: Change): Change => {
    for (const name of remove) last.delete(name)
    const unmoved = put.map(record => {
      const { name, lastAttemptAt } = record
      if (lastAttemptAt === undefined) return record
      last.set(name, Math.max(lastAttemptAt, last.get(name) ?? lastAttemptAt))
      return { ...record, lastAttemptAt: last.get(name)! }
    })
    return { put: unmoved, remove }
  }
  const load = (records: readonly TaskRecord[]) => {
    last.clear()
    commit({ put: records, remove: [] })
    return records
  }
  assert.equal(await firstViolation({ commit, load }, 55), 'L1')
})

test('L1: a scheduler that forgets who was running is caught', async () => {
  const load = (records: readonly TaskRecord[]) => records.map(each => without(each, 'runningBy'))
  assert.equal(await firstViolation({ load }), 'L1')
})
