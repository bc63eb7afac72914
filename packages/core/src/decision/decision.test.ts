import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { instant, jobOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { allows } from '../constraint/constraints.ts'
import { SchedulingError } from '../error/error.ts'
import type { Job } from '../schedule/schedule.ts'
import { EARLIEST, LAST_PRINTABLE, LATEST, printInstant } from '../time/instant.ts'
import { decide, MAX_ATTEMPTS, placeOf, recordOf, triggerOf, UNSCHEDULABLE_REASON } from './decision.ts'
import { attemptsOf, explain } from './explanation.ts'

const pick = <T>(...values: T[]) => fc.constantFrom(...values)

/** Jobs over every mode, distribution, strategy and kind of constraint, some of them never schedulable. */
const anyJob: fc.Arbitrary<Job> = fc
  .record({
    identity: fc.string({ unit: 'binary' }),
    zone: pick('UTC', 'Europe/Paris', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu'),
    mode: pick('after', 'around', 'before'),
    length: pick('0s', '300ms', '1s', '1.5s', '59s', '2h', '1h1m1s', '31h', '744h'),
    distribution: pick(
      'uniform',
      'skewEarly',
      'skewLate,shape=0.3',
      'normal',
      'normal,mu=end,sigma=1ns',
      'normal,mu=start,sigma=2000h',
      'exponential',
      'exponential,lambda=700,dir=late',
    ),
    seed: pick('stable', 'daily', 'weekly,salt=pepper'),
    constraints: pick(
      '',
      '@only(hours=1-5)',
      '@avoid(dow=SAT,SUN;dom=1)',
      '@only(between=02:00-02:01)',
      '@only(date=1999-12-31)',
      '@avoid(months=1-12)',
    ),
  })
  .map(({ identity, zone, mode, length, distribution, seed, constraints }) =>
    jobOf(
      `0 0 1 * * @tz(${zone}) @win(${mode},${length}) @dist(${distribution}) @seed(${seed}) ${constraints}`,
      identity,
    ),
  )
const nominal = fc.oneof(fc.integer({ min: EARLIEST, max: LATEST }), pick(EARLIEST, LATEST))

test('the chosen second lies in the window and keeps the constraints', () => {
  const found = { chosen: 0, unschedulable: 0 }
  fc.assert(
    fc.property(anyJob, nominal, (job, at) => {
      const { chosen, windowStart, windowEnd, attemptCount } = decide(job, at)
      const { constraints, zone } = job.schedule
      assert.ok(windowStart <= at && at <= windowEnd)
      assert.ok(attemptCount >= 0 && attemptCount <= MAX_ATTEMPTS)
      found[chosen === null ? 'unschedulable' : 'chosen']++
      if (chosen === null) return assert.equal(attemptCount, windowStart === windowEnd ? 0 : MAX_ATTEMPTS)
      assert.ok(Number.isInteger(chosen) && chosen >= windowStart && chosen <= windowEnd)
      assert.ok(allows(constraints, zone, chosen))
    }),
    { numRuns: 5_000, seed: 1 },
  )
  assert.ok(found.chosen > 500 && found.unschedulable > 500, JSON.stringify(found))
})

test("the same input gives the same bytes, with our hash or the platform's", () => {
  fc.assert(
    fc.property(anyJob, nominal, (job, at) => {
      const bytes = JSON.stringify(recordOf(decide(job, at)))
      assert.equal(JSON.stringify(recordOf(decide({ ...job }, at))), bytes)
      assert.equal(JSON.stringify(recordOf(decide(job, at, text => hash('sha256', text, 'hex')))), bytes)
    }),
    { numRuns: 1_000, seed: 2 },
  )
})

test("an explanation's last attempt is the decision, and all before it were refused", () => {
  fc.assert(
    fc.property(anyJob, nominal, (job, at) => {
      const { decision, attempts } = explain(job, at)
      assert.deepEqual(decision, decide(job, at))
      assert.equal(attempts.length, decision.attemptCount)
      const { windowStart, windowEnd, chosen } = decision
      for (const [i, { u, x, offset, candidate, rejectedBy }] of attempts.entries()) {
        assert.ok(u >= 0 && u < 1 && x >= 0 && x < 1)
        assert.equal(offset, Math.min(windowEnd - windowStart, Math.floor(x * (windowEnd - windowStart + 1))))
        assert.equal(candidate, windowStart + offset)
        const last = i === attempts.length - 1 && chosen !== null
        assert.equal(rejectedBy === undefined, last)
        if (last) assert.equal(candidate, chosen)
      }
    }),
    { numRuns: 2_000, seed: 3 },
  )
})

test('a window of one second needs no sample, even if it is a little longer than nothing', () => {
  for (const length of ['0s', '300ms', '999ms']) {
    const decision = decide(jobOf(`@daily @win(after,${length})`), instant('2026-03-01T00:00:00Z'))
    assert.equal(decision.chosen, instant('2026-03-01T00:00:00Z'))
    assert.equal(decision.attemptCount, 0)
    assert.deepEqual(attemptsOf(decision), [])
  }
})

test('the one candidate of an empty window is tested against the constraints too', () => {
  const at = instant('2026-03-01T00:00:00Z')
  assert.equal(decide(jobOf('@daily @only(hours=0)'), at).chosen, at)
  const refused = decide(jobOf('@daily @avoid(hours=0)'), at)
  assert.equal(refused.chosen, null)
  assert.equal(refused.attemptCount, 0)
  assert.equal(recordOf(refused).reason, UNSCHEDULABLE_REASON)
})

test('an unschedulable period asks for attention when its window opens', () => {
  const decision = decide(jobOf('0 12 * * * @win(around,2h) @only(hours=3)'), instant('2026-03-01T12:00:00Z'))
  assert.equal(decision.chosen, null)
  assert.equal(decision.attemptCount, MAX_ATTEMPTS)
  assert.equal(printInstant(triggerOf(decision)), '2026-03-01T11:00:00Z')
})

test('what decides a second is identity, period, salt and strategy, and nothing else', () => {
  const at = instant('2026-03-01T00:00:00Z')
  const chosen = (text: string, identity = 'a', nominal = at) => decide(jobOf(text, identity), nominal).chosen
  const plain = chosen('@daily @win(after,20h)')
  assert.notEqual(chosen('@daily @win(after,20h)', 'b'), plain)
  assert.notEqual(chosen('@daily @win(after,20h) @seed(stable,salt=x)'), plain)
  assert.notEqual(chosen('@daily @win(after,20h) @seed(daily)'), plain)
  assert.equal(chosen('@hourly @win(after,20h) @policy(deadline=1h) @tz(Asia/Tokyo)'), plain)
  const daily = (nominal: number) => chosen('@hourly @win(after,1h) @seed(daily)', 'a', nominal)! - nominal
  assert.equal(daily(at + 3_600), daily(at))
  assert.notEqual(daily(at + 86_400), daily(at))
})

test('a record has the keys of the contract, in its order', () => {
  const job = jobOf('0 2 * * * @tz(Europe/Paris) @win(around,2h) @dist(normal) @only(dow=0-6)', 'prod/db')
  const record = recordOf(decide(job, instant('2026-03-01T01:00:00Z')))
  assert.equal(
    Object.keys(record).join(' '),
    'identity periodId nominalTime windowStart windowEnd chosenTime timezone mode distribution params seedStrategy ' +
      'salt periodKey seedHash constraints attemptCount maxAttempts unschedulable reason zoneData',
  )
  assert.deepEqual(
    { ...record, chosenTime: '', seedHash: record.seedHash.length, zoneData: '' },
    {
      identity: 'prod/db',
      periodId: '2026-03-01T01:00:00Z',
      nominalTime: '2026-03-01T01:00:00Z',
      windowStart: '2026-03-01T00:00:00Z',
      windowEnd: '2026-03-01T02:00:00Z',
      chosenTime: '',
      timezone: 'Europe/Paris',
      mode: 'around',
      distribution: 'normal',
      params: { mu: 'nominal', sigma: 'window/6' },
      seedStrategy: 'stable',
      salt: '',
      periodKey: '2026-03-01T01:00:00Z',
      seedHash: 64,
      constraints: '@only(dow=SUN-SAT)',
      attemptCount: 1,
      maxAttempts: 64,
      unschedulable: false,
      reason: '',
      zoneData: '',
    },
  )
  assert.equal(record.zoneData, `ICU ${process.versions['tz']}`)
  const utc = decide(jobOf('0 2 * * *', 'prod/db'), instant('2026-03-01T02:00:00Z'))
  assert.ok(!('zoneData' in recordOf(utc)))
})

test('params hold every parameter with its value', () => {
  const params = (dist: string, mode = 'after') =>
    recordOf(decide(jobOf(`@daily @win(${mode},1h) @dist(${dist})`), 0)).params
  assert.deepEqual(params('uniform'), {})
  assert.deepEqual(params('skewLate'), { shape: 2 })
  assert.deepEqual(params('exponential,dir=late'), { lambda: 1, dir: 'late' })
  assert.deepEqual(params('normal'), { mu: 'mid', sigma: 'window/6' })
  assert.deepEqual(params('normal,sigma=90s', 'around'), { mu: 'nominal', sigma: '1m30s' })
})

test('a nominal time before 1970 or without a year of four digits is a scheduling error', () => {
  for (const at of [EARLIEST - 1, LAST_PRINTABLE + 1, Number.NaN]) {
    assert.throws(
      () => decide(jobOf('@daily', 'prod/db'), at),
      (error: unknown) => {
        assert.ok(error instanceof SchedulingError)
        assert.equal(error.message, `the nominal time ${at} is not an instant from 1970 to 9999`)
        assert.deepEqual([error.identity, error.operation, error.component], ['prod/db', 'decide', 'core'])
        return true
      },
    )
  }
})

test('the last second that can be printed can be decided', () => {
  assert.equal(decide(jobOf('* * * * *'), LAST_PRINTABLE).chosen, LAST_PRINTABLE)
})

test('a place that rounds onto the end or beyond is the last one before it', () => {
  const placeAt = (x: number): number => placeOf({ quantile: () => x, cdf: () => x }, 0.5)
  const last = 1 - 2 ** -53
  assert.deepEqual([1.5, 1, last, 0.25, -1].map(placeAt), [last, last, last, 0.25, 0])
})
