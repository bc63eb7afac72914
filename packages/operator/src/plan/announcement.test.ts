import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  base,
  createEffect,
  instant,
  jobFor,
  kronJob,
  next,
  ONE,
  observed,
  TWO,
  TWO_NAME,
} from '@kron/testkit/operator/plan/fixtures'
import type { Plan } from './plan.ts'
import { reconcile } from './reconcile.ts'

const NEAR = '2026-03-01T01:59:45Z'
const LATE = '2026-03-01T02:00:01Z'
const intent = { periodID: TWO, jobName: TWO_NAME, at: TWO }
const announced = { handledThrough: ONE, intent }

describe('an announcement ahead of the start', () => {
  test('is written when the start is near', () => {
    const given = observed({ kronJob: kronJob({}, { handledThrough: ONE }), at: NEAR })
    assert.deepEqual(reconcile(given), {
      status: { ...base(given), ...next(given, TWO), handledThrough: ONE, intent },
      effects: [],
      outcomes: [],
      notes: [],
      wakeAt: instant(TWO),
    } satisfies Plan)
  })

  test('is not written before', () => {
    const given = observed({ kronJob: kronJob({}, { handledThrough: ONE }), at: '2026-03-01T01:59:44Z' })
    assert.equal(reconcile(given).status.intent, undefined)
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
    const given = observed({ kronJob: one, untried: true, at: TWO })
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
    const plan = reconcile(observed({ kronJob: kronJob({}, announced), untried: true, at: LATE }))
    assert.deepEqual([plan.effects, plan.status.intent], [[], undefined])
    assert.deepEqual(
      plan.outcomes.map(each => [each.outcome, each.reason]),
      [['missed', 'deadline']],
    )
  })

  test('does not overrule a Job that has become active meanwhile', () => {
    const jobs = [jobFor(ONE)]
    const given = observed({ kronJob: kronJob({}, announced), jobs, untried: true, at: TWO })
    assert.equal(reconcile(given).outcomes[0]?.outcome, 'skipped')
  })

  test('is withdrawn when the KronJob is suspended or its schedule moves', () => {
    for (const spec of [{ policy: { suspend: true } }, { schedule: '30 4 * * *' }]) {
      const plan = reconcile(observed({ kronJob: kronJob(spec, announced), at: NEAR }))
      assert.deepEqual([plan.status.intent, plan.effects, plan.outcomes], [undefined, [], []])
    }
  })

  test('starts nothing after an edit that removed the period while nobody looked', () => {
    const edited = kronJob({ schedule: '30 4 * * *', policy: { deadline: '10m' } }, announced)
    const plan = reconcile(observed({ kronJob: edited, catchUp: true, at: LATE }))
    assert.deepEqual([plan.status.intent, plan.effects, plan.outcomes], [undefined, [], []])
  })
})
