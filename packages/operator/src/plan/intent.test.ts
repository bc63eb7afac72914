import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  announced,
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
} from '@kron/testkit/operator/plan/fixtures'
import type { Observed, Plan } from './plan.ts'
import { reconcile } from './reconcile.ts'

describe('replace', () => {
  const spec = { policy: { concurrency: 'replace' } }
  const replacing = { periodID: TWO, jobName: TWO_NAME, at: TWO, replacing: true }
  const old = jobFor(ONE)

  test('announces the start, then deletes the active Jobs', () => {
    const given = observed({ kronJob: kronJob(spec, { handledThrough: ONE }), jobs: [old], at: TWO })
    const message = `The period ${TWO} waits until Job ${old.name} is gone.`
    assert.deepEqual(reconcile(given), {
      status: {
        ...base(given, { Replacing: { reason: 'Replacing', message } }, [old]),
        ...next(given, THREE),
        handledThrough: ONE,
        intent: replacing,
      },
      effects: [{ kind: 'replace', job: old }],
      outcomes: [],
      notes: [
        { type: 'Normal', reason: 'Replaced', text: `Deleting Job ${old.name} to make room for the next` },
      ],
      wakeAt: instant('2026-03-01T02:00:40Z'),
    } satisfies Plan)
  })

  test('waits for them to be gone, past the deadline if need be', () => {
    const dying = { ...old, deleting: true }
    const status = { handledThrough: ONE, intent: replacing }
    const given = observed({ kronJob: kronJob(spec, status), jobs: [dying], at: '2026-03-01T02:04:00Z' })
    const plan = reconcile(given)
    assert.deepEqual([plan.effects, plan.outcomes, plan.status.intent], [[], [], replacing])
  })

  test('says that it is stuck once the grace of the pods is over, and tells of it once', () => {
    const dying = { ...old, deleting: true }
    const status = { handledThrough: ONE, intent: replacing }
    const given = observed({ kronJob: kronJob(spec, status), jobs: [dying], at: '2026-03-01T02:00:40Z' })
    const plan = reconcile(given)
    const stalled = plan.status.conditions?.find(each => each.type === 'Stalled')
    assert.deepEqual([stalled?.status, stalled?.reason], ['True', 'ReplaceStuck'])
    assert.deepEqual(
      plan.notes.map(each => each.reason),
      ['ReplaceStuck'],
    )
    const again = observed({ kronJob: kronJob(spec, plan.status), jobs: [dying], at: '2026-03-01T02:00:50Z' })
    assert.deepEqual(reconcile(again).notes, [])
  })

  test('misses the period five minutes after its deadline', () => {
    const dying = { ...old, deleting: true }
    const status = { handledThrough: ONE, intent: replacing }
    const before = observed({ kronJob: kronJob(spec, status), jobs: [dying], at: '2026-03-01T02:05:00Z' })
    assert.deepEqual(
      [reconcile(before).outcomes, reconcile(before).wakeAt],
      [[], instant('2026-03-01T02:05:01Z')],
    )
    const late = reconcile({ ...before, now: instant('2026-03-01T02:05:01Z') })
    assert.deepEqual(
      late.outcomes.map(each => [each.outcome, each.reason]),
      [['missed', 'replace']],
    )
    assert.equal(late.status.intent, undefined)
  })

  test('hides no later period: the next takes over, and the first is missed', () => {
    const dying = { ...old, deleting: true }
    const status = { handledThrough: ONE, intent: replacing }
    const long = { policy: { concurrency: 'replace', deadline: '2h' } }
    const plan = reconcile(observed({ kronJob: kronJob(long, status), jobs: [dying], at: THREE }))
    assert.deepEqual(
      plan.outcomes.map(each => [each.decision.nominal, each.outcome, each.reason]),
      [[instant(TWO), 'missed', 'replace']],
    )
    assert.deepEqual([plan.status.intent?.periodID, plan.status.intent?.replacing], [THREE, true])
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

  test('past the deadline a Job that does not exist was missed, not executed', () => {
    const given = crashed({ policy: { deadline: '5m' } }, '2026-03-01T02:05:01Z')
    const plan = reconcile(given)
    assert.deepEqual(plan.effects, [])
    assert.deepEqual(plan.outcomes, [
      { decision: decisionAt(given, TWO), outcome: 'missed', reason: 'deadline' },
    ])
    assert.deepEqual([plan.status.handledThrough, plan.status.intent], [TWO, announced(THREE)])
  })

  test('the catch-up rule applies to it, too: only the last of the late periods starts', () => {
    const spec = { schedule: '*/10 * * * *', policy: { deadline: '1h', concurrency: 'allow' } }
    const plan = reconcile(crashed(spec, '2026-03-01T02:15:00Z'))
    const superseded = plan.outcomes.filter(each => each.reason === 'superseded')
    assert.equal(superseded.at(-1)?.decision.nominal, instant(TWO))
    assert.equal(plan.status.intent?.periodID, '2026-03-01T02:10:00Z')
  })

  test('a Job that may have finished and been collected is not created again', () => {
    const jobTemplate = { spec: { ttlSecondsAfterFinished: 30 } }
    const policy = { deadline: '5m' }
    const early = reconcile(crashed({ policy, jobTemplate }, '2026-03-01T02:00:29Z'))
    assert.equal(early.effects.length, 1)
    const late = reconcile(crashed({ policy, jobTemplate }, '2026-03-01T02:00:30Z'))
    assert.deepEqual([late.effects, late.outcomes[0]?.reason], [[], 'unknown result'])
  })

  const failure = { reason: 'NameConflict', message: 'a Job of that name exists', certain: true } as const
  const block = { failure, failures: 1, until: instant(TWO) + 2 }

  test('a failed creation is told and tried again after a pause, without another write of the announcement', () => {
    const given = {
      ...crashed({ policy: { deadline: '5m' } }, TWO),
      catchUp: false,
      block,
      isFreshBlock: true,
    }
    const plan = reconcile(given)
    const { reason, message } = failure
    assert.deepEqual(plan, {
      status: {
        ...base(given, { SchedulingError: { reason, message } }),
        ...next(given, THREE),
        handledThrough: ONE,
        intent,
      },
      effects: [],
      outcomes: [],
      notes: [{ type: 'Warning', reason: 'NameConflict', text: failure.message }],
      wakeAt: instant(TWO) + 2,
    } satisfies Plan)
    const again = { ...given, kronJob: kronJob({ policy: { deadline: '5m' } }, plan.status) }
    assert.deepEqual(reconcile(again).status, plan.status)
  })

  test('a KronJob that is blocked past the deadline misses the period and stays blocked', () => {
    const long = { ...block, until: instant(TWO) + 600 }
    const given = {
      ...crashed({ policy: { deadline: '5m' } }, '2026-03-01T02:05:01Z'),
      catchUp: false,
      block: long,
    }
    const plan = reconcile(given)
    assert.deepEqual(
      plan.outcomes.map(each => each.reason),
      ['deadline'],
    )
    assert.equal(plan.status.conditions?.find(each => each.type === 'SchedulingError')?.status, 'True')
    assert.equal(plan.status.intent, undefined)
  })

  test('a certain refusal is no lost answer, however old the announcement is', () => {
    const jobTemplate = { spec: { ttlSecondsAfterFinished: 1 } }
    const given = {
      ...crashed({ policy: { deadline: '5m' }, jobTemplate }, '2026-03-01T02:01:00Z'),
      certainlyAbsent: true,
    }
    const plan = reconcile(given)
    assert.deepEqual(plan.outcomes, [])
    assert.equal(plan.effects.length, 1)
    assert.equal(plan.status.intent?.at, '2026-03-01T02:01:00Z')
  })

  test('the write that reports a certain refusal removes the announcement, so that no leader mistakes its age', () => {
    const policy = { deadline: '5m' }
    const jobTemplate = { spec: { ttlSecondsAfterFinished: 1 } }
    const refused = {
      ...crashed({ policy, jobTemplate }, TWO),
      catchUp: false,
      block,
      isFreshBlock: true,
      certainlyAbsent: true,
    }
    const { status } = reconcile(refused)
    assert.equal(status.intent, undefined)
    const later = observed({
      kronJob: kronJob({ policy, jobTemplate }, status),
      catchUp: true,
      at: '2026-03-01T02:01:00Z',
    })
    assert.deepEqual(reconcile(later).effects, [createEffect(later, TWO)])
    const lost = reconcile({ ...refused, certainlyAbsent: false })
    assert.deepEqual(lost.status.intent, intent)
  })

  test('an edit that spoils the spec in that moment removes it as well, and keeps one that is in doubt', () => {
    const jobTemplate = { spec: { ttlSecondsAfterFinished: 1 } }
    const spoiled = crashed({ schedule: '61 * * * *', jobTemplate }, TWO)
    assert.equal(reconcile({ ...spoiled, certainlyAbsent: true }).status.intent, undefined)
    assert.deepEqual(reconcile(spoiled).status.intent, intent)
  })

  test('an announcement from the future is of another clock, so its Job may have come and gone', () => {
    const jobTemplate = { spec: { ttlSecondsAfterFinished: 30 } }
    const plan = reconcile(crashed({ policy: { deadline: '5m' }, jobTemplate }, '2026-03-01T01:59:40Z'))
    assert.deepEqual([plan.effects, plan.outcomes[0]?.reason], [[], 'unknown result'])
  })
})

test('a Job that this replica created is executed, even if somebody has deleted it since', () => {
  const given = observed({
    kronJob: kronJob({ policy: { deadline: '5m' } }, { handledThrough: ONE, intent: announced(TWO) }),
    created: jobFor(TWO),
    at: '2026-03-01T02:00:01Z',
  })
  const plan = reconcile(given)
  assert.deepEqual(
    [plan.effects, plan.outcomes.map(each => [each.outcome, each.jobName])],
    [[], [['executed', TWO_NAME]]],
  )
})
