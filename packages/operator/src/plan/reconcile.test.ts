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
  last,
  next,
  ONE,
  observed,
  THREE,
  TWO,
  TWO_NAME,
} from '@kron/testkit/operator/plan/fixtures'
import { conditionsOf } from './conditions.ts'
import { referenceTo } from './job.ts'
import type { Plan } from './plan.ts'
import { reconcile } from './reconcile.ts'

describe('a period on its way', () => {
  test('a new KronJob waits for its first period and says so', () => {
    const given = observed({ kronJob: kronJob(), catchUp: true, at: '2026-03-01T00:30:31Z' })
    assert.deepEqual(reconcile(given), {
      status: { ...base(given), ...next(given, ONE), intent: announced(ONE) },
      effects: [],
      outcomes: [],
      notes: [{ type: 'Normal', reason: 'Scheduled', text: `The period ${ONE} starts at ${ONE}` }],
      wakeAt: instant(ONE),
    } satisfies Plan)
  })

  test('a due period is announced in the status before its Job is created', () => {
    const given = observed({ kronJob: kronJob({}, { handledThrough: ONE }), at: TWO })
    assert.deepEqual(reconcile(given), {
      status: {
        ...base(given),
        ...next(given, THREE),
        handledThrough: ONE,
        intent: { periodID: TWO, jobName: TWO_NAME, at: TWO },
      },
      effects: [createEffect(given, TWO)],
      outcomes: [],
      notes: [],
      wakeAt: instant(THREE),
    } satisfies Plan)
  })

  test('once the Job exists the period is executed and the announcement is cleared', () => {
    const intent = { periodID: TWO, jobName: TWO_NAME, at: TWO }
    const job = jobFor(TWO)
    const given = observed({ kronJob: kronJob({}, { handledThrough: ONE, intent }), jobs: [job], at: TWO })
    assert.deepEqual(reconcile(given), {
      status: {
        ...base(given, {}, [job]),
        ...next(given, THREE),
        ...last(given, TWO, 'executed'),
        handledThrough: TWO,
        lastJobRef: referenceTo(job),
      },
      effects: [],
      outcomes: [{ decision: decisionAt(given, TWO), outcome: 'executed', reason: '', jobName: TWO_NAME }],
      notes: [
        { type: 'Normal', reason: 'JobCreated', text: `Created Job ${TWO_NAME} for the period ${TWO}` },
      ],
      wakeAt: instant(THREE),
    } satisfies Plan)
  })

  test('an idle KronJob keeps its status to the letter, so that nothing is written', () => {
    const first = reconcile(observed({ kronJob: kronJob(), catchUp: true, at: '2026-03-01T00:30:31Z' }))
    const again = observed({ kronJob: kronJob({}, first.status), catchUp: true, at: '2026-03-01T00:45:00Z' })
    assert.deepEqual(reconcile(again), { ...first, notes: [] })
  })

  test('a KronJob that is being deleted is left alone', () => {
    const one = kronJob({}, { handledThrough: ONE })
    const dying = { ...one, metadata: { ...one.metadata, deletionTimestamp: TWO } }
    const plan = reconcile(observed({ kronJob: dying, at: TWO }))
    assert.deepEqual(plan, { status: dying.status!, effects: [], outcomes: [], notes: [] })
  })
})

describe('a period that does not start', () => {
  test('forbid skips it while a Job is active', () => {
    const old = jobFor(ONE)
    const given = observed({ kronJob: kronJob({}, { handledThrough: ONE }), jobs: [old], at: TWO })
    assert.deepEqual(reconcile(given), {
      status: {
        ...base(given, {}, [old]),
        ...next(given, THREE),
        ...last(given, TWO, 'skipped', 'concurrency'),
        handledThrough: TWO,
      },
      effects: [],
      outcomes: [{ decision: decisionAt(given, TWO), outcome: 'skipped', reason: 'concurrency' }],
      notes: [
        { type: 'Normal', reason: 'Skipped', text: `Skipped the period ${TWO}: a Job is still active` },
      ],
      wakeAt: instant(THREE),
    } satisfies Plan)
  })

  test('it is missed past its deadline', () => {
    const given = observed({
      kronJob: kronJob({ policy: { deadline: '10m' } }, { handledThrough: ONE }),
      at: '2026-03-01T02:10:01Z',
    })
    assert.deepEqual(reconcile(given), {
      status: {
        ...base(given),
        ...next(given, THREE),
        ...last(given, TWO, 'missed', 'deadline'),
        handledThrough: TWO,
        intent: announced(THREE),
      },
      effects: [],
      outcomes: [{ decision: decisionAt(given, TWO), outcome: 'missed', reason: 'deadline' }],
      notes: [{ type: 'Warning', reason: 'Missed', text: `Missed the period ${TWO} (deadline)` }],
      wakeAt: instant(THREE),
    } satisfies Plan)
  })

  test('no allowed second makes it unschedulable, and the condition stays until another ends well', () => {
    const constraints = { avoid: [{ hours: '2' }] }
    const given = observed({ kronJob: kronJob({ constraints }, { handledThrough: ONE }), at: TWO })
    const plan = reconcile(given)
    const reason = 'no candidate accepted within MaxAttempts'
    const holding = { Unschedulable: { reason: 'NoCandidate', message: reason } }
    assert.deepEqual(plan, {
      status: {
        ...base(given, holding),
        ...next(given, THREE),
        ...last(given, TWO, 'unschedulable', reason),
        lastChosenTime: '',
        handledThrough: TWO,
        intent: announced(THREE),
      },
      effects: [],
      outcomes: [{ decision: decisionAt(given, TWO), outcome: 'unschedulable', reason }],
      notes: [
        {
          type: 'Warning',
          reason: 'Unschedulable',
          text: `No allowed second for the period ${TWO}: ${reason}`,
        },
      ],
      wakeAt: instant(THREE),
    } satisfies Plan)
    const idle = observed({ kronJob: kronJob({ constraints }, plan.status), at: '2026-03-01T02:30:00Z' })
    assert.deepEqual(reconcile(idle).status, plan.status)
  })

  test('a suspended KronJob handles nothing and waits for nothing', () => {
    const given = observed({
      kronJob: kronJob({ policy: { suspend: true } }, { handledThrough: ONE }),
      at: TWO,
    })
    const holding = { Suspended: { reason: 'Suspended', message: 'spec.policy.suspend is true.' } }
    assert.deepEqual(reconcile(given), {
      status: { ...base(given, holding), handledThrough: ONE },
      effects: [],
      outcomes: [],
      notes: [],
    } satisfies Plan)
  })

  test('an invalid spec is reported with every message of the lint, and schedules nothing', () => {
    const spec = { schedule: '61 * * * *', window: { mode: 'after', duration: '2x' } }
    const given = observed({ kronJob: kronJob(spec, { handledThrough: ONE }), at: TWO })
    const plan = reconcile(given)
    const invalid = plan.status.conditions?.find(each => each.type === 'InvalidSpec')
    assert.equal(invalid?.status, 'True')
    assert.match(
      invalid.message,
      /^spec\.schedule: .*61.*\nspec\.window: "2x" is not a duration: unknown unit "x"/,
    )
    assert.deepEqual(plan, {
      status: {
        observedGeneration: 1,
        active: [],
        activeCount: 0,
        handledThrough: ONE,
        conditions: conditionsOf(
          given.kronJob,
          { InvalidSpec: { reason: 'Rejected', message: invalid.message } },
          given.now,
        ),
      },
      effects: [],
      outcomes: [],
      notes: [{ type: 'Warning', reason: 'InvalidSpec', text: invalid.message }],
    } satisfies Plan)
  })

  test('a status that cannot be read is an error to be seen, and starts nothing', () => {
    const given = observed({ kronJob: kronJob({}, { handledThrough: 'yesterday' }), at: TWO })
    const message = 'the status of shop/backup holds a bad time: yesterday'
    const why = { reason: 'IncompatibleStateError', message }
    const holding = { SchedulingError: why, Stalled: why }
    const { window, ...status } = base(given, holding)
    assert.deepEqual(reconcile(given), {
      status: { ...status, handledThrough: 'yesterday' },
      effects: [],
      outcomes: [],
      notes: [{ type: 'Warning', reason: 'SchedulingError', text: message }],
    } satisfies Plan)
  })

  test('a refused template is an invalid spec too, and is tried again later', () => {
    const failure = {
      reason: 'TemplateRefused',
      message: 'spec.template: Required value',
      certain: true,
    } as const
    const block = { failure, failures: 1, until: instant(ONE) + 1 }
    const plan = reconcile(observed({ block, at: ONE }))
    assert.deepEqual(plan.notes, [
      { type: 'Warning', reason: 'InvalidSpec', text: 'spec.template: Required value' },
    ])
    assert.deepEqual([plan.effects, plan.wakeAt], [[], block.until])
    const invalid = plan.status.conditions?.find(each => each.type === 'InvalidSpec')
    assert.deepEqual([invalid?.status, invalid?.reason], ['True', 'TemplateRefused'])
  })

  test('the periods of a downtime are named in one note with their range', () => {
    const given = observed({
      kronJob: kronJob({ schedule: '* * * * *' }, { handledThrough: '2026-03-01T16:21:00Z' }),
      catchUp: true,
      at: '2026-03-01T16:25:30Z',
    })
    const plan = reconcile(given)
    assert.deepEqual(plan.notes, [
      {
        type: 'Warning',
        reason: 'Missed',
        text: 'Missed 2026-03-01T16:22:00Z to 2026-03-01T16:25:00Z, 4 periods (deadline)',
      },
    ])
    assert.deepEqual([plan.outcomes.length, plan.unseen?.missed.length], [1, 3])
  })
})

describe('how Jobs end', () => {
  const ended = (hour: string, succeeded: boolean, at: string) =>
    jobFor(`2026-03-01T${hour}:00:00Z`, { finished: { succeeded, at: instant(at) } })
  const AT = '2026-03-01T01:30:00Z'

  test('is counted once, told in Events, and kept when the Jobs are gone', () => {
    const jobs = [ended('00', true, '2026-03-01T00:10:00Z'), ended('01', false, '2026-03-01T01:10:00Z')]
    const first = reconcile(observed({ kronJob: kronJob({}, { handledThrough: ONE }), jobs, at: AT }))
    assert.deepEqual(
      first.notes.map(each => each.reason),
      ['JobSucceeded', 'JobFailed'],
    )
    assert.equal(first.status.lastSuccessfulTime, '2026-03-01T00:10:00Z')
    assert.equal(first.status.lastFailureTime, '2026-03-01T01:10:00Z')
    assert.equal(first.status.consecutiveFailures, 1)
    const again = reconcile(observed({ kronJob: kronJob({}, first.status), jobs, at: AT }))
    assert.deepEqual([again.notes, again.status], [[], first.status])
    const without = reconcile(observed({ kronJob: kronJob({}, first.status), jobs: [], at: AT }))
    assert.equal(without.status.consecutiveFailures, 1)
  })

  test('failures in a row add up, two in one second too, and a success ends them', () => {
    const status = {
      handledThrough: ONE,
      lastFailureTime: '2026-03-01T01:10:00Z',
      consecutiveFailures: 4,
      lastFinishedUIDs: ['x'],
    }
    const failed = [ended('01', false, '2026-03-01T01:10:00Z')]
    const more = reconcile(observed({ kronJob: kronJob({}, status), jobs: failed, at: AT }))
    assert.deepEqual([more.status.consecutiveFailures, more.status.lastFinishedUIDs?.length], [5, 2])
    const well = [...failed, ended('02', true, '2026-03-01T01:20:00Z')]
    const after = reconcile(observed({ kronJob: kronJob({}, more.status), jobs: well, at: AT }))
    assert.equal(after.status.consecutiveFailures, 0)
  })
})

test('finished Jobs beyond the limits are forgotten, the oldest first', () => {
  const finished = (hour: string, succeeded: boolean) =>
    jobFor(`2026-02-28T${hour}:00:00Z`, { finished: { succeeded, at: 0 } })
  const jobs = ['03', '01', '02', '04', '05'].map(hour => finished(hour, true))
  const failed = ['06', '07'].map(hour => finished(hour, false))
  const plan = reconcile(observed({ jobs: [...jobs, ...failed], at: '2026-03-01T00:45:00Z' }))
  assert.deepEqual(
    plan.effects.map(each => each.kind === 'forget' && each.job.created),
    [instant('2026-02-28T01:00:00Z'), instant('2026-02-28T02:00:00Z'), instant('2026-02-28T06:00:00Z')],
  )
})
