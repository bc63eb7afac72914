import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instant, scheduleOf } from '@kron/testkit/reading'
import fc from 'fast-check'
import { EARLIEST, LATEST } from '../time/instant.ts'
import { allows, printConstraints, rejection } from './constraints.ts'

/** A clause as text, with what it means to somebody who reads a calendar. */
interface Written {
  readonly text: string
  readonly kind: string
  holds(local: Temporal.ZonedDateTime): boolean
}

const two = (n: number): string => String(n).padStart(2, '0')
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const numbers = (kind: string, min: number, max: number, of: (local: Temporal.ZonedDateTime) => number) =>
  fc
    .array(fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })), { minLength: 1, maxLength: 3 })
    .map((pairs): Written => {
      const ranges = pairs.map(pair => pair.toSorted((a, b) => a - b) as [number, number])
      return {
        kind,
        text: `${kind}=${ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')}`,
        holds: local => ranges.some(([from, to]) => of(local) >= from && of(local) <= to),
      }
    })

const clock = (local: Temporal.ZonedDateTime): string => `${two(local.hour)}:${two(local.minute)}`
const aClock = fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${two(hour)}:${two(minute)}`)
const aDate = fc
  .integer({ min: 20_400, max: 20_800 })
  .map(day => new Date(day * 86_400_000).toISOString().slice(0, 10))

const written: fc.Arbitrary<Written> = fc.oneof(
  numbers('hours', 0, 23, local => local.hour),
  numbers('dow', 0, 6, local => local.dayOfWeek % 7),
  numbers('dom', 1, 31, local => local.day),
  numbers('months', 1, 12, local => local.month),
  fc.constantFrom(...WEEKDAYS).map(
    (name): Written => ({
      kind: 'dow',
      text: `dow=${name}`,
      holds: local => WEEKDAYS[local.dayOfWeek % 7] === name,
    }),
  ),
  fc.tuple(aClock, aClock).map((pair): Written => {
    const [from, to] = pair.toSorted() as [string, string]
    return {
      kind: 'between',
      text: `between=${from}-${to}`,
      holds: local => clock(local) >= from && clock(local) <= to,
    }
  }),
  aDate.map(
    (date): Written => ({
      kind: 'dates',
      text: `date=${date}`,
      holds: local => local.toPlainDate().toString() === date,
    }),
  ),
  fc.tuple(aDate, aDate).map((pair): Written => {
    const [from, to] = pair.toSorted() as [string, string]
    const day = (local: Temporal.ZonedDateTime): string => local.toPlainDate().toString()
    return {
      kind: 'dates',
      text: `dates=${from}..${to}`,
      holds: local => day(local) >= from && day(local) <= to,
    }
  }),
)

const ZONES = [
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Monrovia',
]
const clauses = fc.array(written, { maxLength: 4 })
const someInstant = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.integer({ min: instant('2025-11-01T00:00:00Z'), max: instant('2026-12-31T00:00:00Z') }),
  },
  { weight: 1, arbitrary: fc.integer({ min: EARLIEST, max: LATEST }) },
)

/** SPEC.md's rule: every kind of `only` must hold, no clause of `avoid` may. */
function allowed(
  only: readonly Written[],
  avoid: readonly Written[],
  local: Temporal.ZonedDateTime,
): boolean {
  const kinds = new Set(only.map(each => each.kind))
  const kept = [...kinds].every(kind => only.some(each => each.kind === kind && each.holds(local)))
  return kept && !avoid.some(each => each.holds(local))
}

const text = (only: readonly Written[], avoid: readonly Written[]): string =>
  (only.length > 0 ? ` @only(${only.map(each => each.text).join(';')})` : '') +
  (avoid.length > 0 ? ` @avoid(${avoid.map(each => each.text).join(';')})` : '')

test('an instant is allowed exactly when the calendar in its zone says so', () => {
  const counts = { allowed: 0, refused: 0 }
  fc.assert(
    fc.property(clauses, clauses, fc.constantFrom(...ZONES), someInstant, (only, avoid, name, at) => {
      const { constraints, zone } = scheduleOf(`0 0 * * * @tz(${name})${text(only, avoid)}`)
      const local = Temporal.Instant.fromEpochMilliseconds(at * 1_000).toZonedDateTimeISO(name)
      const expected = allowed(only, avoid, local)
      counts[expected ? 'allowed' : 'refused']++
      assert.equal(allows(constraints, zone, at), expected)
      assert.equal(rejection(constraints, zone, at) === undefined, expected)
    }),
    { numRuns: 20_000, seed: 1 },
  )
  assert.ok(counts.allowed > 2_000 && counts.refused > 2_000, JSON.stringify(counts))
})

test('printed constraints mean the same', () => {
  fc.assert(
    fc.property(clauses, clauses, (only, avoid) => {
      const { constraints } = scheduleOf(`0 0 * * *${text(only, avoid)}`)
      assert.deepEqual(scheduleOf(`0 0 * * * ${printConstraints(constraints)}`).constraints, constraints)
    }),
    { numRuns: 2_000, seed: 2 },
  )
})

test('modifiers of one side merge, however often they stand', () => {
  const apart = scheduleOf('0 0 * * * @only(hours=1) @avoid(dom=3) @only(hours=3;dow=MON) @avoid(dom=4)')
  const joined = scheduleOf('0 0 * * * @only(dow=MON;hours=1,3) @avoid(dom=3-4)')
  assert.deepEqual(apart.constraints, joined.constraints)
})

test('ranges that touch or overlap are printed as one', () => {
  const { constraints } = scheduleOf(
    '0 0 * * * @only(between=08:00-09:59;between=10:00-12:00;between=11:00-11:30;date=2026-12-25;date=2026-12-24)',
  )
  assert.equal(printConstraints(constraints), '@only(between=08:00-12:00;dates=2026-12-24..2026-12-25)')
})

test('a refusal names the side and the clause', () => {
  const reasons: [constraint: string, at: string, reason: string][] = [
    ['@only(hours=9-17)', '2026-03-02T08:59:59Z', 'only hours=9-17'],
    ['@only(dow=MON-FRI)', '2026-03-01T12:00:00Z', 'only dow=MON-FRI'],
    ['@only(dom=1,15)', '2026-03-02T00:00:00Z', 'only dom=1,15'],
    ['@only(months=JAN-MAR)', '2026-04-01T00:00:00Z', 'only months=JAN-MAR'],
    [
      '@only(between=08:00-09:00;between=10:00-11:00)',
      '2026-03-01T09:01:00Z',
      'only between=08:00-09:00;between=10:00-11:00',
    ],
    ['@only(date=2026-12-24)', '2026-12-25T00:00:00Z', 'only date=2026-12-24'],
    ['@avoid(hours=9)', '2026-03-02T09:59:59Z', 'avoid hours=9'],
    ['@avoid(dow=SUN)', '2026-03-01T12:00:00Z', 'avoid dow=SUN'],
    ['@avoid(dom=31)', '2026-03-31T12:00:00Z', 'avoid dom=31'],
    ['@avoid(months=12)', '2026-12-01T12:00:00Z', 'avoid months=DEC'],
    ['@avoid(between=12:00-12:30)', '2026-12-01T12:30:59Z', 'avoid between=12:00-12:30'],
    ['@avoid(dates=2026-12-24..2026-12-31)', '2026-12-31T23:59:59Z', 'avoid dates=2026-12-24..2026-12-31'],
    ['@only(hours=9) @avoid(hours=9)', '2026-12-31T09:59:59Z', 'avoid hours=9'],
  ]
  for (const [constraint, at, reason] of reasons) {
    const { constraints, zone } = scheduleOf(`0 0 * * * ${constraint}`)
    assert.equal(rejection(constraints, zone, instant(at)), reason)
  }
})

test('the last minute of a span is included to its last second', () => {
  const { constraints, zone } = scheduleOf('0 0 * * * @tz(Europe/Paris) @only(between=08:00-20:00)')
  assert.equal(allows(constraints, zone, instant('2026-07-01T20:00:59+02:00')), true)
  assert.equal(allows(constraints, zone, instant('2026-07-01T20:01:00+02:00')), false)
  assert.equal(allows(constraints, zone, instant('2026-07-01T08:00:00+02:00')), true)
  assert.equal(allows(constraints, zone, instant('2026-07-01T07:59:59+02:00')), false)
})
