import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '@kron/runtime'
import { jobFor, TWO, TWO_NAME } from '@kron/testkit/operator/plan/fixtures'
import { PendingOutcomes } from './pending-outcomes.ts'

const KEY = 'shop/backup'
const OUTCOME = { jobName: TWO_NAME, catchUp: true, now: 1 }

function started() {
  const due: string[] = []
  const clock = new VirtualClock({ now: 1_000 })
  const outcomes = new PendingOutcomes(clock)
  outcomes.add(KEY, OUTCOME, () => due.push(KEY))
  return { due, clock, outcomes }
}

test('the outcome of a start waits for a second while the Job runs', async () => {
  const { due, clock, outcomes } = started()
  assert.equal(outcomes.waiting(KEY, [jobFor(TWO)]), OUTCOME)
  await clock.run(999)
  assert.deepEqual(due, [])
  await clock.run(1)
  assert.deepEqual(due, [KEY])
  assert.equal(outcomes.waiting(KEY, [jobFor(TWO)]), undefined)
})

test('an outcome waits no longer when the Job has ended, is being deleted or is gone', () => {
  const { outcomes } = started()
  const ended = jobFor(TWO, { finished: { succeeded: true, at: 1 } })
  for (const jobs of [[ended], [jobFor(TWO, { deleting: true })], []]) {
    assert.equal(outcomes.waiting(KEY, jobs), undefined)
  }
})

test('an outcome that was taken early does not fall due', async () => {
  const { due, clock, outcomes } = started()
  assert.equal(outcomes.take(KEY), true)
  assert.equal(outcomes.take(KEY), false)
  await clock.run(5_000)
  assert.deepEqual(due, [])
})
