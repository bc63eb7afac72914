import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { instant, jobFor, kronJob, ONE, observed } from '@kron/testkit/operator/plan/fixtures'
import type { Observed, Plan } from './plan.ts'
import { reconcile } from './reconcile.ts'

describe('catching up', () => {
  const allow = { schedule: '*/10 * * * *', policy: { concurrency: 'allow', deadline: '1h' } }
  const outcomesOf = (plan: Plan): string[] =>
    plan.outcomes.map(each => `${each.decision.nominal - instant(ONE)} ${each.outcome} ${each.reason}`)

  test('starts only the last late period after downtime and misses the others in one step', () => {
    const given = observed({
      kronJob: kronJob(allow, { handledThrough: ONE }),
      catchUp: true,
      at: '2026-03-01T01:35:00Z',
    })
    const plan = reconcile(given)
    assert.deepEqual(outcomesOf(plan), ['600 missed superseded', '1200 missed superseded'])
    assert.equal(plan.status.intent?.periodID, '2026-03-01T01:30:00Z')
  })

  test('the steady course starts every one of them, the earliest first', () => {
    const status = { handledThrough: ONE }
    const given = observed({ kronJob: kronJob(allow, status), at: '2026-03-01T01:35:00Z' })
    assert.equal(reconcile(given).status.intent?.periodID, '2026-03-01T01:10:00Z')
  })

  test('a year of downtime is one step', () => {
    const given = observed({
      kronJob: kronJob({}, { handledThrough: ONE }),
      catchUp: true,
      at: '2027-03-01T01:30:00Z',
    })
    const plan = reconcile(given)
    assert.deepEqual(
      plan.outcomes.map(each => [each.decision.nominal, each.outcome]),
      [[instant('2027-03-01T01:00:00Z'), 'missed']],
    )
    assert.ok(plan.status.handledThrough! >= '2027-03-01T01:00:00Z')
  })

  test('a window that opened before the KronJob existed is none of its concern', () => {
    const early = {
      schedule: '0 1 * * *',
      window: { mode: 'before', duration: '1h' },
      policy: { deadline: '10h' },
    }
    const plan = reconcile(observed({ kronJob: kronJob(early), catchUp: true, at: '2026-03-01T01:30:00Z' }))
    assert.deepEqual([plan.outcomes, plan.effects], [[], []])
    assert.equal(plan.status.nextPeriodID, '2026-03-02T01:00:00Z')
  })

  test('overlapping windows are handled one by one, whatever their order', () => {
    const spec = {
      schedule: '*/5 * * * *',
      window: { mode: 'after', duration: '1h' },
      policy: { concurrency: 'allow' },
    }
    let one = kronJob(spec)
    const jobs: Observed['jobs'][number][] = []
    let now = instant('2026-03-01T00:30:31Z')
    const started: number[] = []
    while (started.length < 40) {
      const plan = reconcile({ kronJob: one, jobs, catchUp: false, now })
      one = kronJob(spec, plan.status)
      for (const effect of plan.effects) {
        if (effect.kind !== 'create') continue
        const { periodID } = plan.status.intent!
        jobs.push(jobFor(periodID, { finished: { succeeded: true, at: now } }))
        started.push(instant(periodID))
      }
      if (!plan.effects.some(each => each.kind === 'create')) now = plan.wakeAt!
    }
    assert.equal(new Set(started).size, 40)
    assert.ok((one.status?.handledPeriods?.length ?? 0) <= 12)
    assert.notDeepEqual(
      started,
      started.toSorted((a, b) => a - b),
    )
  })
})
