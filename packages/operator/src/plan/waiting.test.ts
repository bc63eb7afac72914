import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announced, jobFor, kronJob, ONE, observed, TWO } from '@kron/testkit/operator/plan/fixtures'
import type { Observed } from './plan.ts'
import { reconcile } from './reconcile.ts'
import { canWait } from './waiting.ts'

const AT_HALF_PAST_TWO = '2026-03-01T02:30:00Z'
const deadline = (length: string) => ({ policy: { deadline: length } })
const ttl = { jobTemplate: { spec: { ttlSecondsAfterFinished: 30 } } }
const mayWait = (given: Observed): boolean => canWait(reconcile(given), given.kronJob, given.now)

test('a new KronJob and a missed period can wait, a start cannot', () => {
  const fresh = observed({ at: '2026-03-01T00:30:31Z', kronJob: kronJob(), catchUp: true })
  assert.deepEqual([reconcile(fresh).outcomes.length, mayWait(fresh)], [0, true])
  const spec = deadline('10m')
  const late = observed({ at: AT_HALF_PAST_TWO, kronJob: kronJob(spec), catchUp: true })
  assert.deepEqual([reconcile(late).outcomes.at(-1)?.outcome, mayWait(late)], ['missed', true])
  const due = observed({ at: TWO, kronJob: kronJob(spec), catchUp: true })
  assert.deepEqual([reconcile(due).effects[0]?.kind, mayWait(due)], ['create', false])
})

test('a period whose Job exists cannot wait: its Job may be gone later', () => {
  const job = jobFor(ONE)
  const one = kronJob(deadline('10m'), { intent: announced(ONE) })
  const given = observed({ at: AT_HALF_PAST_TWO, kronJob: one, jobs: [job], catchUp: true })
  assert.ok(reconcile(given).outcomes.some(each => each.outcome === 'executed'))
  assert.equal(mayWait(given), false)
})

test('an announced period whose Job never existed cannot wait: later the TTL would hide that', () => {
  const left = kronJob(ttl, { handledThrough: ONE, intent: announced(TWO) })
  const given = observed({ at: '2026-03-01T02:00:05Z', kronJob: left, catchUp: true })
  assert.deepEqual(
    reconcile(given).outcomes.map(each => each.outcome),
    ['missed'],
  )
  assert.equal(mayWait(given), false)
})

test('an announcement ahead of its time can wait', () => {
  const status = { handledThrough: ONE, intent: announced(TWO), nextPeriodID: TWO }
  const at = '2026-03-01T01:30:00Z'
  assert.equal(mayWait(observed({ at, kronJob: kronJob({}, status), catchUp: true })), true)
})
