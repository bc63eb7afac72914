import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  base,
  createEffect,
  decisionAt,
  instant,
  jobFor,
  kronJob,
  next,
  ONE,
  observed,
  THREE,
  TWO,
  TWO_NAME,
} from './fixtures.test-support.ts'
import type { Observed, Plan } from './plan.ts'
import { reconcile } from './reconcile.ts'

describe('replace', () => {
  const spec = { policy: { concurrency: 'replace' } }
  const replacing = { periodID: TWO, jobName: TWO_NAME, at: TWO, replacing: true }
  const old = jobFor(ONE)

  test('announces the start, then deletes the active Jobs', () => {
    const given = observed({ kronJob: kronJob(spec, { handledThrough: ONE }), jobs: [old], at: TWO })
    assert.deepEqual(reconcile(given), {
      status: { ...base(given, {}, [old]), ...next(given, THREE), handledThrough: ONE, intent: replacing },
      effects: [{ kind: 'replace', job: old }],
      outcomes: [],
      notes: [
        { type: 'Normal', reason: 'Replaced', text: `Deleting Job ${old.name} to make room for the next` },
      ],
      wakeAt: instant(THREE),
    } satisfies Plan)
  })

  test('waits for them to be gone, past the deadline if need be', () => {
    const dying = { ...old, deleting: true }
    const status = { handledThrough: ONE, intent: replacing }
    const given = observed({ kronJob: kronJob(spec, status), jobs: [dying], at: '2026-03-01T02:05:00Z' })
    const plan = reconcile(given)
    assert.deepEqual([plan.effects, plan.outcomes, plan.status.intent], [[], [], replacing])
  })

  test('announces anew and creates the Job when they are gone', () => {
    const status = { handledThrough: ONE, intent: replacing }
    const given = observed({ kronJob: kronJob(spec, status), at: '2026-03-01T02:05:00Z' })
    const plan = reconcile(given)
    assert.deepEqual(plan.effects, [createEffect(given, TWO)])
    assert.deepEqual(plan.status.intent, { periodID: TWO, jobName: TWO_NAME, at: '2026-03-01T02:05:00Z' })
  })

  test('misses the period if termination could not begin in time', () => {
    const status = { handledThrough: ONE, intent: replacing }
    const given = observed({ kronJob: kronJob(spec, status), jobs: [old], at: '2026-03-01T02:00:01Z' })
    const plan = reconcile(given)
    assert.deepEqual(
      plan.outcomes.map(each => [each.outcome, each.reason]),
      [['missed', 'deadline']],
    )
    assert.deepEqual([plan.effects, plan.status.intent], [[], undefined])
  })
})

describe('after a crash between announcement and outcome', () => {
  const intent = { periodID: TWO, jobName: TWO_NAME, at: TWO }
  const crashed = (spec: object, at: string): Observed =>
    observed({ kronJob: kronJob(spec, { handledThrough: ONE, intent }), catchUp: true, at })

  test('the Job is created within the deadline, under the same announcement', () => {
    const given = crashed({ policy: { deadline: '5m' } }, '2026-03-01T02:04:00Z')
    const plan = reconcile(given)
    assert.deepEqual(plan.effects, [createEffect(given, TWO)])
    assert.deepEqual([plan.status.intent, plan.outcomes], [intent, []])
  })

  test('past the deadline it counts as executed with unknown result, never as open', () => {
    const given = crashed({ policy: { deadline: '5m' } }, '2026-03-01T02:05:01Z')
    const plan = reconcile(given)
    assert.deepEqual(plan.effects, [])
    assert.deepEqual(plan.outcomes, [
      { decision: decisionAt(given, TWO), outcome: 'executed', reason: 'unknown result' },
    ])
    assert.deepEqual([plan.status.handledThrough, plan.status.intent], [TWO, undefined])
  })

  test('a Job that may have finished and been collected is not created again', () => {
    const jobTemplate = { spec: { ttlSecondsAfterFinished: 30 } }
    const policy = { deadline: '5m' }
    const early = reconcile(crashed({ policy, jobTemplate }, '2026-03-01T02:00:29Z'))
    assert.equal(early.effects.length, 1)
    const late = reconcile(crashed({ policy, jobTemplate }, '2026-03-01T02:00:30Z'))
    assert.deepEqual([late.effects, late.outcomes[0]?.reason], [[], 'unknown result'])
  })

  test('a failed creation opens the period again without trying at once', () => {
    const failure = { reason: 'NameConflict', message: 'a Job of that name exists' } as const
    const given = { ...crashed({ policy: { deadline: '5m' } }, TWO), catchUp: false, failure }
    const plan = reconcile(given)
    assert.deepEqual(plan, {
      status: { ...base(given, { SchedulingError: failure }), ...next(given, THREE), handledThrough: ONE },
      effects: [],
      outcomes: [],
      notes: [{ type: 'Warning', reason: 'NameConflict', text: failure.message }],
      wakeAt: instant(THREE),
    } satisfies Plan)
  })
})
