import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutcomeKind } from '@kron/core'
import type { OutcomeRecord } from './outcome-record.ts'
import { Problems } from './problems.ts'

/** The problem after these outcomes of one job, oldest first. */
function after(...kinds: OutcomeKind[]): string | undefined {
  const problems = new Problems()
  for (const [i, kind] of kinds.entries())
    problems.learn({ identity: 'a', kind, completedAt: `2030-01-01T00:00:0${i}Z` } as OutcomeRecord)
  const problem = problems.list()[0]
  return problem && `${problem.kind} ${problem.count} since ${problem.since.slice(18, 19)}`
}

test('a series of troubles has its worst kind, their number and the time of the first', () => {
  assert.equal(after('succeeded', 'missed', 'failed', 'missed'), 'failed 3 since 1')
  assert.equal(after('failed', 'succeeded', 'failed'), 'failed 1 since 2')
  assert.equal(after('failed', 'succeeded'), undefined)
})

test('skipped and replaced periods are no troubles, and end no series of failures', () => {
  assert.equal(after('skipped', 'replaced'), undefined)
  assert.equal(after('failed', 'skipped', 'replaced'), 'failed 1 since 0')
})

test('a job that is always replaced never succeeds, but a run of it ends a series of missed periods', () => {
  assert.equal(after('missed', 'missed', 'replaced'), undefined)
  assert.equal(after('missed', 'replaced', 'missed'), 'missed 1 since 2')
})
