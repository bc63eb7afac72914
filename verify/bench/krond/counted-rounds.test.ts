import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedRounds, type Round } from './counted-rounds.ts'

/** A round by the share that was stolen from each contender. */
const round = (stolen: Readonly<Record<string, number>>): Round =>
  new Map(Object.entries(stolen).map(([name, each]) => [name, { last: 100, stolen: each }]))

const QUIET = { bare: 0, krond: 0 }
const counts = (all: readonly Round[], name: string): readonly number[] => {
  const { own, quiet, counted } = countedRounds(all, name, 'bare')
  return [own.length, quiet.length, counted.length]
}

test('a peer has figures when all rounds with peers were disturbed', () => {
  const all = [
    ...Array.from({ length: 5 }, () => round({ ...QUIET, cron: 0.2 })),
    ...Array.from({ length: 5 }, () => round(QUIET)),
  ]
  assert.deepEqual(counts(all, 'cron'), [5, 0, 5])
})

test('a peer that was disturbed takes no round away from krond', () => {
  const all = Array.from({ length: 4 }, () => round({ ...QUIET, cron: 0.2 }))
  assert.deepEqual(counts(all, 'krond'), [4, 4, 4])
})

test('a round does not count if krond or the bare loop beside it was disturbed', () => {
  const all = [
    round({ bare: 0, krond: 0.04 }),
    round({ bare: 0.04, krond: 0 }),
    ...Array.from({ length: 3 }, () => round({ bare: 0.03, krond: 0.03 })),
  ]
  assert.deepEqual(counts(all, 'krond'), [5, 3, 3])
  assert.deepEqual(counts(all, 'bare'), [5, 4, 4])
})

test('with fewer than three quiet rounds, all rounds of the contender count', () => {
  const loud = round({ bare: 0, krond: 0.5 })
  assert.deepEqual(counts([round(QUIET), round(QUIET), loud], 'krond'), [3, 2, 3])
  assert.deepEqual(counts([round(QUIET), round(QUIET)], 'krond'), [2, 2, 2])
})
