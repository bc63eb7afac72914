import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scheduleOf, value } from '@kron/testkit/reading'
import fc from 'fast-check'
import { calendarOf } from '../constraint/calendar.ts'
import { type Clause, parseClause } from '../constraint/clause.ts'
import { parseCron } from '../cron/parse.ts'
import { HOUR, MINUTE, SECOND } from '../time/duration.ts'
import { findZone } from '../zone/find.ts'
import { DEFAULTS, printSchedule, type Schedule } from './schedule.ts'

test('where the text is silent the defaults stand', () => {
  assert.deepEqual(scheduleOf('0 2 * * *'), { cron: value(parseCron('0 2 * * *', 'kron')), ...DEFAULTS })
  const { zone, window, distribution, seed, policy, constraints } = DEFAULTS
  assert.equal(zone.name, 'UTC')
  assert.deepEqual(window, { mode: 'after', duration: 0 })
  assert.deepEqual(distribution, { name: 'uniform' })
  assert.deepEqual(seed, { strategy: 'stable', salt: '' })
  assert.deepEqual(policy, { concurrency: 'forbid', deadline: 0, suspend: false })
  assert.deepEqual(constraints, {})
})

test('every modifier is read, in any order', () => {
  const parts = [
    '@tz(Europe/Paris)',
    '@win(around,2h)',
    '@dist(normal,mu=mid,sigma=20m)',
    '@seed(weekly,salt=pepper)',
    '@policy(concurrency=replace,deadline=10m,suspend=true)',
    '@only(hours=9-17)',
    '@avoid(dow=SAT,SUN)',
  ]
  const expected: Schedule = {
    cron: value(parseCron('0 2 * * *', 'kron')),
    zone: findZone('Europe/Paris')!,
    window: { mode: 'around', duration: 2 * HOUR },
    distribution: { name: 'normal', mu: 'mid', sigma: 20 * MINUTE },
    seed: { strategy: 'weekly', salt: 'pepper' },
    policy: { concurrency: 'replace', deadline: 10 * MINUTE, suspend: true },
    constraints: {
      only: calendarOf([value(parseClause('hours=9-17'))]),
      avoid: calendarOf([value(parseClause('dow=SAT,SUN'))]),
    },
  }
  assert.deepEqual(scheduleOf(`0 2 * * * ${parts.join(' ')}`), expected)
  assert.deepEqual(scheduleOf(`0 2 * * *\t${parts.toReversed().join(' \t ')}  `), expected)
})

test('parameters left out have their defaults', () => {
  assert.deepEqual(scheduleOf('@daily @dist(skewEarly)').distribution, { name: 'skewEarly', shape: 2 })
  assert.deepEqual(scheduleOf('@daily @dist(skewLate)').distribution, { name: 'skewLate', shape: 2 })
  assert.deepEqual(scheduleOf('@daily @dist(normal)').distribution, { name: 'normal' })
  assert.deepEqual(scheduleOf('@daily @dist(exponential,dir=late)').distribution, {
    name: 'exponential',
    lambda: 1,
    dir: 'late',
  })
})

test('center is another word for around', () => {
  assert.deepEqual(scheduleOf('@daily @win(center,1h)'), scheduleOf('@daily @win(around,1h)'))
})

test('a salt may be quoted, and hold what else would end it', () => {
  const salts: Readonly<Record<string, string>> = {
    'salt=': '',
    'salt=a=b;c': 'a=b;c',
    'salt="a, b) @win(c)"': 'a, b) @win(c)',
    'salt="say \\"hi\\" \\\\ bye"': 'say "hi" \\ bye',
    'salt=""': '',
    'salt=日本': '日本',
  }
  for (const [text, salt] of Object.entries(salts)) {
    assert.deepEqual(scheduleOf(`@daily @seed(stable,${text}) @tz(Asia/Tokyo)`).seed, {
      strategy: 'stable',
      salt,
    })
  }
})

test('the canonical text leaves out what is default', () => {
  const printed: Readonly<Record<string, string>> = {
    '@daily @tz(UTC) @win(after,0s) @dist(uniform) @seed(stable) @policy(concurrency=forbid)': '0 0 * * *',
    '*/5 9-17 * * MON-FRI @win(center,90m)': '*/5 9-17 * * 1-5 @win(around,1h30m)',
    '@hourly @avoid(dow=6,7) @only(hours=9,10)': '0 * * * * @only(hours=9-10) @avoid(dow=SUN,SAT)',
    '@hourly @seed(daily,salt="a b")': '0 * * * * @seed(daily,salt="a b")',
    '@hourly @dist(exponential) @policy(deadline=600s)':
      '0 * * * * @dist(exponential,lambda=1,dir=early) @policy(deadline=10m)',
  }
  for (const [text, canonical] of Object.entries(printed))
    assert.equal(printSchedule(scheduleOf(text)), canonical)
})

const duration = (longest: number) =>
  fc.oneof(
    fc.integer({ min: 0, max: longest }),
    fc.integer({ min: 0, max: longest / SECOND }).map(s => s * SECOND),
    fc.constantFrom(0, 1, MINUTE, 90 * MINUTE, longest),
  )
const positive = fc.oneof(fc.double({ min: 1e-9, max: 1e25, noNaN: true }), fc.integer({ min: 1, max: 9 }))
const clause = fc.constantFrom<Clause[]>(
  ...[
    ['hours=0', 'hours=22-23', 'dow=MON', 'dow=0-6', 'dom=31', 'dom=1-5,9', 'months=1', 'months=FEB,DEC'],
    ['between=00:00-00:00', 'between=10:00-23:59', 'date=2026-02-28', 'dates=2026-12-24..2027-01-01'],
  ]
    .flat()
    .map(text => [value(parseClause(text))]),
)
const calendar = fc.array(clause, { minLength: 1, maxLength: 5 }).map(clauses => calendarOf(clauses.flat()))

/** As `fc.record`, but of ordinary objects. */
const plain = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true })

const anySchedule: fc.Arbitrary<Schedule> = plain({
  cron: fc
    .constantFrom('0 0 29 2 *', '30 2 * * 0', '0 9-17/2 1,15 * *', '59 23 31 12 *', '0 0 1-31 * 1')
    .map(text => value(parseCron(text, 'kron'))),
  zone: fc
    .constantFrom('UTC', 'Etc/UTC', 'Europe/Paris', 'America/Argentina/Buenos_Aires')
    .map(name => findZone(name)!),
  window: plain({ mode: fc.constantFrom('after', 'around', 'before'), duration: duration(744 * HOUR) }),
  distribution: fc.oneof(
    fc.constant({ name: 'uniform' as const }),
    plain({ name: fc.constantFrom('skewEarly' as const, 'skewLate' as const), shape: positive }),
    fc.record(
      {
        name: fc.constant('normal' as const),
        mu: fc.constantFrom('nominal', 'start', 'mid', 'end'),
        sigma: duration(9_000_000 * SECOND).map(ns => ns + 1),
      },
      { requiredKeys: ['name'], noNullPrototype: true },
    ),
    plain({
      name: fc.constant('exponential' as const),
      lambda: positive,
      dir: fc.constantFrom('early', 'late'),
    }),
  ),
  seed: plain({
    strategy: fc.constantFrom('stable', 'daily', 'weekly'),
    salt: fc.oneof(fc.constant(''), fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-z"\\() ,;=@]*$/)),
  }),
  policy: plain({
    concurrency: fc.constantFrom('allow', 'forbid', 'replace'),
    deadline: duration(744 * HOUR),
    suspend: fc.boolean(),
  }),
  constraints: fc.record({ only: calendar, avoid: calendar }, { requiredKeys: [], noNullPrototype: true }),
})

test('a printed schedule is read back as the same schedule', () => {
  fc.assert(
    fc.property(anySchedule, schedule => assert.deepEqual(scheduleOf(printSchedule(schedule)), schedule)),
    { numRuns: 5_000, seed: 1 },
  )
})
