import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, instant, scheduleOf } from '@kron/testkit/reading'
import { parseSchedule } from '../schedule/parse.ts'
import { calendarOf } from './calendar.ts'
import { type Clause, parseClause, type Range } from './clause.ts'
import { allows, rejection } from './constraints.ts'

const between = (range: Range): Clause => ({ kind: 'between', range })
const unionOf = (...ranges: Range[]): readonly Range[] => calendarOf(ranges.map(between)).between

test('ranges are joined where they touch or overlap, in whatever order they come', () => {
  assert.deepEqual(unionOf([1, 10], [5, 6]), [[1, 10]])
  assert.deepEqual(unionOf([5, 6], [1, 10]), [[1, 10]])
  assert.deepEqual(unionOf([3, 4], [1, 2]), [[1, 4]])
  assert.deepEqual(unionOf([4, 5], [1, 2]), [
    [1, 2],
    [4, 5],
  ])
  assert.deepEqual(unionOf(), [])
})

const complaint = (text: string) => {
  const [fault] = faultsOf(parseClause(text))
  return `${fault!.message}; ${fault!.hint}`
}

test('a key of one letter is a key', () => {
  assert.match(complaint('a=5'), /^unknown constraint "a"/)
})

test('a range over the end of the week is told as two, from its last day too', () => {
  assert.match(complaint('dow=6-2'), /write dow=SAT,SUN-TUE$/)
  assert.match(complaint('dow=5-2'), /write dow=FRI-SAT,SUN-TUE$/)
  assert.match(complaint('dow=7-2'), /write dow=SUN-TUE$/)
})

test('an hour or a minute just beyond the day is refused, on either side', () => {
  for (const span of ['24:00-23:00', '24:00-24:30', '08:00-24:00', '08:60-09:00', '08:00-08:60'])
    assert.match(complaint(`between=${span}`), /is not a span of the day/, span)
})

test('a date that is no date, or not two of them, is refused', () => {
  for (const date of ['2026-00-10', '2026-13-10', '2026-02-00', '2026-02-30', '2026-99-99'])
    assert.match(complaint(`date=${date}`), /is not a date/, date)
  for (const dates of ['2026-01-01', '2026-01-01..x', 'x..2026-01-01', '2026-01-01..2026-01-02..2026-01-03'])
    assert.match(complaint(`dates=${dates}`), /is not a range of dates/, dates)
})

/** For each instant: what refuses it, if anything does. */
function refusals(modifiers: string, ...times: string[]): (string | undefined)[] {
  const { constraints, zone } = scheduleOf(`* * * * * ${modifiers}`)
  return times.map(time => {
    const why = rejection(constraints, zone, instant(time))
    assert.equal(allows(constraints, zone, instant(time)), why === undefined, time)
    return why
  })
}

test('an hour begins and ends on its first and last second', () => {
  const times = [
    '2026-03-01T00:59:59Z',
    '2026-03-01T01:00:00Z',
    '2026-03-01T01:59:59Z',
    '2026-03-01T02:00:00Z',
  ]
  const only = 'only hours=1'
  const avoid = 'avoid hours=1'
  assert.deepEqual(refusals('@only(hours=1)', ...times), [only, undefined, undefined, only])
  assert.deepEqual(refusals('@avoid(hours=1)', ...times), [undefined, avoid, avoid, undefined])
  const late = ['2026-03-01T22:59:59Z', '2026-03-01T23:00:00Z', '2026-03-01T23:59:59Z']
  assert.deepEqual(refusals('@only(hours=23)', ...late), ['only hours=23', undefined, undefined])
  assert.deepEqual(refusals('@avoid(hours=23)', ...late), [undefined, 'avoid hours=23', 'avoid hours=23'])
})

test('hours and days are those of the zone', () => {
  const zone = '@tz(America/New_York)'
  assert.deepEqual(refusals(`${zone} @only(hours=20)`, '2026-03-01T01:30:00Z', '2026-03-01T20:30:00Z'), [
    undefined,
    'only hours=20',
  ])
  assert.deepEqual(refusals(`${zone} @avoid(dom=28)`, '2026-03-01T01:30:00Z', '2026-03-01T06:00:00Z'), [
    'avoid dom=28',
    undefined,
  ])
})

test('days of the month and months count each for itself and together', () => {
  const times = ['2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z', '2026-04-01T12:00:00Z']
  assert.deepEqual(refusals('@only(dom=1)', ...times), [undefined, 'only dom=1', undefined])
  assert.deepEqual(refusals('@only(months=MAR)', ...times), [undefined, undefined, 'only months=MAR'])
  assert.deepEqual(refusals('@only(dom=1;months=MAR)', ...times), [
    undefined,
    'only dom=1',
    'only months=MAR',
  ])
  assert.deepEqual(refusals('@avoid(dom=1)', ...times), ['avoid dom=1', undefined, 'avoid dom=1'])
  assert.deepEqual(refusals('@avoid(months=APR)', ...times), [undefined, undefined, 'avoid months=APR'])
})

test('without constraints every instant is allowed', () => {
  assert.deepEqual(refusals('', '2026-03-01T12:00:00Z'), [undefined])
})

test('a schedule may have sixty-four clauses and not one more', () => {
  const clauses = (count: number): string => Array.from({ length: count }, () => 'dom=1').join(';')
  assert.ok(parseSchedule(`* * * * * @avoid(${clauses(64)})`).ok)
  assert.ok(!parseSchedule(`* * * * * @avoid(${clauses(65)})`).ok)
})
