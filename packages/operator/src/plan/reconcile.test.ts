import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decide } from '@kron/core'
import type { KronJobStatus } from '../manifest/kronjob.ts'
import { jobOf, parseSpec } from '../manifest/parse.ts'
import { conditionsOf, type Holding } from './conditions.ts'
import { instant, jobFor, kronJob, observed } from './fixtures.test-support.ts'
import { jobManifest, referenceTo } from './job.ts'
import type { Observed, Plan } from './plan.ts'
import { reconcile } from './reconcile.ts'

const ONE = '2026-03-01T01:00:00Z'
const TWO = '2026-03-01T02:00:00Z'
const THREE = '2026-03-01T03:00:00Z'
const TWO_NAME = jobFor(TWO).name

const decisionAt = ({ kronJob: { spec } }: Observed, period: string) => {
  const read = parseSpec(spec)
  assert.ok(read.ok)
  return decide(jobOf('shop/backup', read.schedule), instant(period))
}

/** The parts of a status that every plan has. */
function base(given: Observed, holding: Holding = {}, active: Observed['jobs'] = []): KronJobStatus {
  return {
    observedGeneration: 1,
    active: active.map(referenceTo),
    activeCount: active.length,
    window: 'after 0s',
    conditions: conditionsOf(given.kronJob, holding, given.now),
  }
}

const next = (given: Observed, period: string): KronJobStatus => ({
  nextPeriodID: period,
  nextNominalTime: period,
  nextChosenTime: period,
  nextSeedHash: decisionAt(given, period).seedHash,
})

const last = (given: Observed, period: string, lastOutcome: string, lastReason = ''): KronJobStatus => ({
  lastPeriodID: period,
  lastNominalTime: period,
  lastChosenTime: period,
  lastOutcome,
  lastReason,
  lastSeedHash: decisionAt(given, period).seedHash,
})

const createEffect = (given: Observed, period: string): Plan['effects'][number] => ({
  kind: 'create',
  job: jobManifest(given.kronJob, decisionAt(given, period)),
  chosen: instant(period),
})

describe('a period on its way', () => {
  test('a new KronJob waits for its first period and says so', () => {
    const given = observed({ kronJob: kronJob(), catchUp: true, at: '2026-03-01T00:30:31Z' })
    assert.deepEqual(reconcile(given), {
      status: { ...base(given), ...next(given, ONE) },
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
    const holding = { Suspended: { reason: 'Suspended', message: 'spec.policy.suspend is true' } }
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
    const holding = { SchedulingError: { reason: 'IncompatibleStateError', message } }
    const { window, ...status } = base(given, holding)
    assert.deepEqual(reconcile(given), {
      status: { ...status, handledThrough: 'yesterday' },
      effects: [],
      outcomes: [],
      notes: [{ type: 'Warning', reason: 'SchedulingError', text: message }],
    } satisfies Plan)
  })

  test('a refused template is an invalid spec too', () => {
    const plan = reconcile(observed({ refusal: 'spec.template: Required value', at: ONE }))
    assert.deepEqual(plan.notes, [
      { type: 'Warning', reason: 'InvalidSpec', text: 'spec.template: Required value' },
    ])
    assert.deepEqual([plan.effects, plan.wakeAt], [[], undefined])
  })
})

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
