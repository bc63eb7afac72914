import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findZone } from '../zone/find.ts'
import { UTC, Zone } from '../zone/zone.ts'
import type { Cron } from './cron.ts'
import { parseCron } from './parse.ts'
import { matches, next, prev } from './search.ts'

const ZONES = Intl.supportedValuesOf('timeZone')
const LAST = 7_289_654_399
const DAY = 86_400_000

interface Fields {
  readonly month: number
  readonly day: number
  readonly weekday: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** Reads the text anew for every question: slow, and nothing like the code under test. */
class Oracle {
  readonly #fields: readonly string[]
  constructor(text: string) {
    this.#fields = text.split(' ')
  }

  matchesDay(at: Pick<Fields, 'month' | 'day' | 'weekday'>): boolean {
    const [, , day, month, weekday] = this.#fields as [string, string, string, string, string]
    if (!holds(month, at.month, 1, 12)) return false
    const byDay = holds(day, at.day, 1, 31)
    const byWeekday = holds(weekday, at.weekday, 0, 6)
    if (day !== '*' && weekday !== '*') return byDay || byWeekday
    return byDay && byWeekday
  }

  matches(at: Fields): boolean {
    const [minute, hour] = this.#fields as [string, string]
    if (at.second !== 0 || !holds(minute, at.minute, 0, 59)) return false
    return holds(hour, at.hour, 0, 23) && this.matchesDay(at)
  }

  /** The least occurrence after an instant, by asking Temporal for the instants of every matching local time. */
  next(zone: string, after: number): number {
    const times = this.#times()
    const start = Temporal.Instant.fromEpochMilliseconds(after * 1000)
      .toZonedDateTimeISO(zone)
      .toPlainDate()
    // Days are counted with Date, because a step of Temporal takes much longer and most days do not match.
    for (let at = Date.UTC(start.year, start.month - 1, start.day) - DAY; ; at += DAY) {
      const utc = new Date(at)
      const [month, day] = [utc.getUTCMonth() + 1, utc.getUTCDate()]
      if (!this.matchesDay({ month, day, weekday: utc.getUTCDay() })) continue
      const date = new Temporal.PlainDate(utc.getUTCFullYear(), month, day)
      const instants = times.flatMap(time => instantsOf(date.toPlainDateTime(time), zone))
      const later = instants.filter(instant => instant > after)
      if (later.length > 0) return Math.min(...later)
    }
  }

  #times(): Temporal.PlainTime[] {
    const [minute, hour] = this.#fields as [string, string]
    const hours = Array.from({ length: 24 }, (_, each) => each).filter(each => holds(hour, each, 0, 23))
    const minutes = Array.from({ length: 60 }, (_, each) => each).filter(each => holds(minute, each, 0, 59))
    return hours.flatMap(h => minutes.map(m => Temporal.PlainTime.from({ hour: h, minute: m })))
  }
}

function holds(field: string, value: number, min: number, max: number): boolean {
  return field.split(',').some(element => {
    const [range, step] = element.split('/') as [string, string?]
    const [from, to] = range === '*' ? [min, max] : (range.split('-').map(Number) as [number, number?])
    return value >= from && value <= (to ?? from) && (value - from) % Number(step ?? 1) === 0
  })
}

/** None in a gap, two in a fold. */
function instantsOf(local: Temporal.PlainDateTime, zone: string): number[] {
  const both = (['earlier', 'later'] as const)
    .map(disambiguation => local.toZonedDateTime(zone, { disambiguation }))
    .filter(zoned => zoned.toPlainDateTime().equals(local))
  return [...new Set(both.map(zoned => zoned.epochMilliseconds / 1000))]
}

const cronOf = (text: string): Cron => {
  const result = parseCron(text, 'kron')
  assert.ok(result.ok, text)
  return result.value
}

const element = (min: number, max: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }), fc.integer({ min: 1, max: 9 }))
    .map(([a, b, step]) => {
      if (a === b) return `${a}`
      const range = `${Math.min(a, b)}-${Math.max(a, b)}`
      return step > 4 ? `${range}/${step}` : range
    })
const field = (min: number, max: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min, max }).map(String),
    fc.integer({ min: 2, max }).map(step => `*/${step}`),
    fc.array(element(min, max), { minLength: 1, maxLength: 3 }).map(list => list.join(',')),
  )
const dayFields = fc.tuple(field(1, 31), field(1, 12), field(0, 6)).map(list => list.join(' '))
const possible = (text: string): boolean => parseCron(text, 'kron').ok

/** Expressions with so few times a day that asking Temporal for each of them is quick. */
const sparse = fc
  .tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 23 }), fc.boolean(), dayFields)
  .map(([minute, hour, two, days]) => `${minute} ${two ? `${hour},${(hour + 5) % 24}` : hour} ${days}`)
  .filter(possible)
const dense = fc
  .tuple(field(0, 59), field(0, 23), fc.oneof(fc.constant('* * *'), dayFields))
  .map(list => list.join(' '))
  .filter(possible)

test('in every zone, next and prev agree with Temporal at random instants from 1970 to 2200', () => {
  const cases = fc.sample(fc.tuple(sparse, fc.integer({ min: 0, max: LAST })), {
    numRuns: ZONES.length * 8,
    seed: 26,
  })
  for (const [index, [text, at]] of cases.entries()) {
    const name = ZONES[index % ZONES.length]!
    const cron = cronOf(text)
    const zone = findZone(name)!
    const oracle = new Oracle(text)
    const where = `${text} in ${name} at ${at}`
    const found = next(cron, zone, at)!
    const before = prev(cron, zone, at)!
    assert.ok(before <= at && at < found, where)
    assert.equal(oracle.next(name, before - 1), before, where)
    // Nothing lies between the two, so this is also the first after `at`.
    assert.equal(oracle.next(name, before), found, where)
  }
})

/** The fields of every local minute that begins in `[from, to)`, by Temporal. */
function minutesOf(name: string, from: number, to: number): [at: number, Fields][] {
  const minutes: [number, Fields][] = []
  for (let at = from; at < to; at += 60) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(name)
    const { month, day, dayOfWeek, hour, minute, second } = zoned
    minutes.push([at, { month, day, weekday: dayOfWeek % 7, hour, minute, second }])
  }
  return minutes
}

/** Walks both ways through `[from, to)` and compares with the minutes that match one by one. */
function checkScan(
  text: string,
  zone: Zone,
  from: number,
  to: number,
  minutes: [at: number, Fields][],
): void {
  const cron = cronOf(text)
  const oracle = new Oracle(text)
  const expected = minutes.filter(([, fields]) => oracle.matches(fields)).map(([at]) => at)
  const forwards: number[] = []
  for (let at = next(cron, zone, from - 1)!; at < to; at = next(cron, zone, at)!) forwards.push(at)
  assert.deepEqual(forwards, expected, `${text} in ${zone.name} from ${from}`)
  const backwards: number[] = []
  for (let at = prev(cron, zone, to - 1)!; at >= from; at = prev(cron, zone, at - 1)!) backwards.unshift(at)
  assert.deepEqual(backwards, expected, `${text} in ${zone.name} up to ${to}`)
}

test('in every zone, a minute-by-minute scan around each transition of 2020 to 2030 finds the same', () => {
  const texts = fc.sample(dense, { numRuns: 500, seed: 30 })
  let turn = 0
  for (const name of ZONES) {
    const zone = findZone(name)!
    let zoned = Temporal.ZonedDateTime.from(`2020-01-01T00:00[${name}]`).getTimeZoneTransition('next')
    for (; zoned && zoned.year <= 2030; zoned = zoned.getTimeZoneTransition('next')) {
      const from = zoned.epochMilliseconds / 1000 - 150 * 60
      const to = from + 300 * 60
      const minutes = minutesOf(name, from, to)
      checkScan('*/10 * * * *', zone, from, to, minutes)
      checkScan(`30 0,${zoned.hour},${(zoned.hour + 23) % 24} * * *`, zone, from, to, minutes)
      checkScan(texts[turn++ % texts.length]!, zone, from, to, minutes)
    }
  }
  assert.ok(turn > 2000, `${turn} transitions`)
})

const YEAR_START = Date.UTC(2026, 0, 1) / 1000

interface Change {
  readonly at: number
  readonly offset: number
}

/** Changes one to five weeks apart, by up to a day and to the second. */
const changes = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 14 * 86_400 }), fc.integer({ min: -43_200, max: 50_400 })), {
    minLength: 3,
    maxLength: 8,
  })
  .map(list =>
    list.map(([late, offset], index): Change => ({ at: YEAR_START + index * 21 * 86_400 + late, offset })),
  )

test('in zones odder than any real one, a minute-by-minute scan finds the same', () => {
  fc.assert(
    fc.property(changes, dense, fc.nat(), (all, text, pick) => {
      const offsetAt = (at: number) => all.findLast(change => change.at <= at)?.offset ?? 0
      const change = all[pick % all.length]!.at
      const [from, to] = [change - 30 * 3600, change + 30 * 3600]
      const minutes = [
        ...localMinutes(from, change, offsetAt(from)),
        ...localMinutes(change, to, offsetAt(change)),
      ]
      checkScan(text, new Zone('Test/Odd', offsetAt), from, to, minutes)
    }),
    { numRuns: 400, seed: 11 },
  )
})

/** The fields of every local minute that begins in `[from, to)` at a constant offset. */
function localMinutes(from: number, to: number, offset: number): [at: number, Fields][] {
  const minutes: [number, Fields][] = []
  for (let at = Math.ceil((from + offset) / 60) * 60 - offset; at < to; at += 60) {
    const date = new Date((at + offset) * 1000)
    const [month, day, weekday] = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay()]
    minutes.push([
      at,
      { month, day, weekday, hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: 0 },
    ])
  }
  return minutes
}

test('next strictly advances, prev undoes it, and both land on matching minutes', () => {
  fc.assert(
    fc.property(
      dense,
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: LAST - 1e9 }),
      (text, name, at) => {
        const cron = cronOf(text)
        const zone = findZone(name)!
        const found = next(cron, zone, at)!
        assert.ok(found > at && matches(cron, zone, found))
        assert.equal(prev(cron, zone, found), found)
        const before = prev(cron, zone, at)!
        assert.ok(before <= at && matches(cron, zone, before))
        if (before > 0) assert.equal(next(cron, zone, before - 1), before)
        assert.equal(next(cron, zone, before < 0 ? at : before), found)
      },
    ),
    { numRuns: 3000, seed: 5 },
  )
})

test('a minute matches exactly if it is an occurrence', () => {
  fc.assert(
    fc.property(
      dense,
      fc.integer({ min: 0, max: LAST }),
      fc.integer({ min: 0, max: 59 }),
      (text, at, second) => {
        const minute = at - (at % 60)
        assert.equal(matches(cronOf(text), UTC, minute + second), prev(cronOf(text), UTC, minute) === minute)
      },
    ),
    { numRuns: 3000, seed: 8 },
  )
})
