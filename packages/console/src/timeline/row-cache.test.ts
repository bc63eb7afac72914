import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobRecord } from '../api/records.ts'
import { RowCache } from './row-cache.ts'

const HOUR = 3_600
const from = Date.UTC(2030, 0, 1) / 1_000
const jobOf = (schedule: string): JobRecord =>
  ({ identity: 'a', name: 'a', schedule, suspended: false }) as JobRecord

function planOf(schedule: string, hours: number) {
  const cache = new RowCache()
  cache.show(from, from + hours * HOUR)
  return cache.get(jobOf(schedule))!
}

test('every period on show is decided while they can be told apart', () => {
  const { periods, nominals } = planOf('* * * * * @win(after,30s)', 12)
  assert.ok(periods.length >= 720)
  assert.deepEqual(nominals, [])
})

test('where there are too many to tell apart, all of the row still has them', () => {
  const { periods, nominals } = planOf('* * * * * @win(after,30s)', 7 * 24)
  assert.deepEqual(periods, [])
  assert.ok(nominals[0]! <= from)
  assert.ok(nominals.at(-1)! >= from + 7 * 24 * HOUR)
})

test('a job that its file suspends has no periods, and one that cannot be read has no plan', () => {
  const cache = new RowCache()
  cache.show(from, from + HOUR)
  assert.deepEqual(cache.get(jobOf('* * * * * @policy(suspend=true)'))!.periods, [])
  assert.equal(cache.get(jobOf('nonsense')), undefined)
})
