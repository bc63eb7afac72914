import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  announced as announcedFor,
  createEffect,
  instant,
  jobFor,
  kronJob,
  ONE,
  observed,
  THREE,
  TWO,
  TWO_NAME,
} from '@kron/testkit/operator/plan/fixtures'
import { reconcile } from './reconcile.ts'

const NEAR = '2026-03-01T01:59:45Z'
const LATE = '2026-03-01T02:00:01Z'
const intent = { periodID: TWO, jobName: TWO_NAME, at: TWO }
const announced = { handledThrough: ONE, intent }

describe('an announcement ahead of the start', () => {
  test('is written with the last write about the period before, so that it costs no write', () => {
    const status = { handledThrough: ONE, intent: announcedFor(ONE) }
    const [running, ended] = [
      jobFor(ONE),
      jobFor(ONE, { finished: { succeeded: true, at: instant(ONE) + 9 } }),
    ]
    const at = '2026-03-01T01:00:10Z'
    const still = reconcile(observed({ kronJob: kronJob({}, status), jobs: [running], at }))
    assert.equal(still.status.intent, undefined)
    const done = reconcile(observed({ kronJob: kronJob({}, still.status), jobs: [ended], at }))
    assert.deepEqual([done.results?.length, done.status.intent], [1, intent])
  })

  test('is not written before the start itself if finished Jobs are deleted by TTL', () => {
    const jobTemplate = { spec: { ttlSecondsAfterFinished: 30 } }
    const one = kronJob({ jobTemplate }, { handledThrough: ONE })
    const early = reconcile(observed({ kronJob: one, at: '2026-03-01T01:59:59Z' }))
    assert.equal(early.status.intent, undefined)
    assert.deepEqual(reconcile(observed({ kronJob: one, at: TWO })).status.intent, intent)
  })

  test('is written anew when the start moves within its period, for no replica may take it for older', () => {
    const status = { handledThrough: ONE, intent: { ...intent, at: '2026-03-01T02:10:00Z' } }
    const given = observed({ kronJob: kronJob({}, status), at: NEAR })
    assert.deepEqual(reconcile(given).status.intent, intent)
    const due = reconcile(observed({ kronJob: kronJob({}, status), at: TWO }))
    assert.deepEqual(due.status.intent, intent)
  })

  test('is not written where an active Job forbids the start so far', () => {
    const jobs = [jobFor(ONE)]
    const forbidding = observed({ kronJob: kronJob({}, { handledThrough: ONE }), jobs, at: NEAR })
    assert.equal(reconcile(forbidding).status.intent, undefined)
    const allowing = kronJob({ policy: { concurrency: 'allow' } }, { handledThrough: ONE })
    assert.deepEqual(reconcile(observed({ kronJob: allowing, jobs, at: NEAR })).status.intent, intent)
  })

  test('leaves nothing to write before the Job is created', () => {
    const one = kronJob({}, announced)
    const given = observed({ kronJob: one, certainlyAbsent: true, at: TWO })
    const plan = reconcile(given)
    assert.equal(plan.status, one.status)
    assert.deepEqual(plan.effects, [createEffect(given, TWO)])
  })

  test('stands for a later replica, which creates the Job at its time', () => {
    const before = observed({ kronJob: kronJob({}, announced), catchUp: true, at: NEAR })
    const { status, effects } = reconcile(before)
    assert.deepEqual([status.intent, effects], [intent, []])
    const then = observed({ kronJob: kronJob({}, announced), catchUp: true, at: TWO })
    assert.deepEqual(reconcile(then).effects, [createEffect(then, TWO)])
  })

  test('of a replica that came too late itself ends as missed, for nothing was tried', () => {
    const plan = reconcile(observed({ kronJob: kronJob({}, announced), certainlyAbsent: true, at: LATE }))
    assert.deepEqual([plan.effects, plan.status.intent], [[], announcedFor(THREE)])
    assert.deepEqual(
      plan.outcomes.map(each => [each.outcome, each.reason]),
      [['missed', 'deadline']],
    )
  })

  test('does not overrule a Job that has become active meanwhile', () => {
    const jobs = [jobFor(ONE)]
    const given = observed({ kronJob: kronJob({}, announced), jobs, certainlyAbsent: true, at: TWO })
    assert.equal(reconcile(given).outcomes[0]?.outcome, 'skipped')
  })

  test('is withdrawn when the KronJob is suspended', () => {
    const plan = reconcile(observed({ kronJob: kronJob({ policy: { suspend: true } }, announced), at: NEAR }))
    assert.deepEqual([plan.status.intent, plan.effects, plan.outcomes], [undefined, [], []])
  })

  test('counts for no start if the template gets a TTL while nobody leads', () => {
    const jobTemplate = { spec: { ttlSecondsAfterFinished: 30 } }
    const status = { ...announced, observedGeneration: 0, nextPeriodID: TWO }
    const edited = kronJob({ jobTemplate }, status)
    const plan = reconcile(observed({ kronJob: edited, catchUp: true, at: NEAR }))
    assert.deepEqual([plan.outcomes, plan.status.intent], [[], undefined])
    const then = observed({ kronJob: kronJob({ jobTemplate }, plan.status), at: TWO })
    assert.deepEqual(reconcile(then).effects, [createEffect(then, TWO)])
  })

  test('starts nothing after an edit that removed the period, whether or not anybody looked', () => {
    const edited = kronJob({ schedule: '30 4 * * *', policy: { deadline: '10m' } }, announced)
    for (const at of [NEAR, LATE]) {
      const plan = reconcile(observed({ kronJob: edited, catchUp: true, at }))
      assert.deepEqual(plan.status.intent, announcedFor('2026-03-01T04:30:00Z'))
      assert.deepEqual([plan.effects, plan.outcomes], [[], []])
    }
  })
})
