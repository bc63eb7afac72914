import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobFor, kronJob, ONE, observed, TWO } from '@kron/testkit/operator/plan/fixtures'
import { reconcile } from './reconcile.ts'
import { canWait } from './waiting.ts'

const AT_HALF_PAST_TWO = '2026-03-01T02:30:00Z'
const deadline = (length: string) => ({ policy: { deadline: length } })

test('a new KronJob and a missed period can wait, a start cannot', () => {
  const fresh = reconcile(observed({ at: '2026-03-01T00:30:31Z', kronJob: kronJob(), catchUp: true }))
  assert.deepEqual([fresh.outcomes.length, canWait(fresh)], [0, true])
  const spec = deadline('10m')
  const late = reconcile(observed({ at: AT_HALF_PAST_TWO, kronJob: kronJob(spec), catchUp: true }))
  assert.deepEqual([late.outcomes.at(-1)?.outcome, canWait(late)], ['missed', true])
  const due = reconcile(observed({ at: TWO, kronJob: kronJob(spec), catchUp: true }))
  assert.deepEqual([due.effects[0]?.kind, canWait(due)], ['create', false])
})

test('a period whose Job exists cannot wait: its Job may be gone later', () => {
  const job = jobFor(ONE)
  const announced = kronJob(deadline('10m'), { intent: { periodID: ONE, jobName: job.name, at: ONE } })
  const plan = reconcile(observed({ at: AT_HALF_PAST_TWO, kronJob: announced, jobs: [job], catchUp: true }))
  assert.ok(plan.outcomes.some(each => each.outcome === 'executed'))
  assert.equal(canWait(plan), false)
})
