import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, value } from '@kron/testkit/reading'
import { daysFromCivil } from '../time/civil.ts'
import { type Clause, parseClause, type SetKind } from './clause.ts'

const set = (kind: SetKind, ...members: number[]): Clause => ({
  kind,
  bits: members.reduce((bits, n) => bits | (1 << n), 0) >>> 0,
})

test('a clause holds the values, ranges and names it lists', () => {
  const meant: Readonly<Record<string, Clause>> = {
    'hours=9-11': set('hours', 9, 10, 11),
    'hours=0,23': set('hours', 0, 23),
    'hours=05,7-7': set('hours', 5, 7),
    'dow=MON-FRI': set('dow', 1, 2, 3, 4, 5),
    'dow=sat,Sun': set('dow', 6, 0),
    'dow=7': set('dow', 0),
    'dow=5-7': set('dow', 5, 6, 0),
    'dow=0-7': set('dow', 0, 1, 2, 3, 4, 5, 6),
    'dom=1,31': set('dom', 1, 31),
    'months=JAN-mar,12': set('months', 1, 2, 3, 12),
    'between=08:00-20:00': { kind: 'between', range: [480, 1_200] },
    'between=00:00-23:59': { kind: 'between', range: [0, 1_439] },
    'between=12:30-12:30': { kind: 'between', range: [750, 750] },
    'date=2024-02-29': { kind: 'dates', range: [daysFromCivil(2024, 2, 29), daysFromCivil(2024, 2, 29)] },
    'dates=2026-12-24..2027-01-01': {
      kind: 'dates',
      range: [daysFromCivil(2026, 12, 24), daysFromCivil(2027, 1, 1)],
    },
  }
  for (const [text, clause] of Object.entries(meant)) assert.deepEqual(value(parseClause(text)), clause, text)
})

const KINDS = 'kinds are hours, dow, dom, months, between, date, dates, cal'
const HOURS = 'hours takes numbers from 0 to 23, for example hours=9-17'
const DOW = 'dow takes numbers from 0 to 7 or names, for example dow=MON-FRI'
const DOM = 'dom takes numbers from 1 to 31, for example dom=1,15'
const MONTHS = 'months takes numbers from 1 to 12 or names, for example months=JAN-MAR'
const BETWEEN = 'write HH:MM-HH:MM from 00:00 to 23:59, for example between=08:00-20:00'

test('a malformed clause is refused where it goes wrong, with advice', () => {
  const wrong: [text: string, message: string, at: number, length: number, hint: string][] = [
    ['', 'expected a clause such as hours=9-17, found ""', 0, 0, KINDS],
    ['hours', 'expected a clause such as hours=9-17, found "hours"', 0, 5, KINDS],
    ['=9', 'expected a clause such as hours=9-17, found "=9"', 0, 2, KINDS],
    ['minutes=5', 'unknown constraint "minutes"', 0, 7, KINDS],
    ['HOURS=5', 'unknown constraint "HOURS"', 0, 5, KINDS],
    ['toString=5', 'unknown constraint "toString"', 0, 8, KINDS],
    ['hours=', '"" is not a value of hours', 6, 0, HOURS],
    ['hours=24', '"24" is not a value of hours', 6, 2, HOURS],
    ['hours=1,,2', '"" is not a value of hours', 8, 0, HOURS],
    ['hours=9-', '"9-" is not a value of hours', 6, 2, HOURS],
    ['hours=1-2-3', '"1-2-3" is not a value of hours', 6, 5, HOURS],
    ['hours=1,-2', '"-2" is not a value of hours', 8, 2, HOURS],
    ['hours=*', '"*" is not a value of hours', 6, 1, HOURS],
    ['hours=MON', '"MON" is not a value of hours', 6, 3, HOURS],
    ['dow=8', '"8" is not a value of dow', 4, 1, DOW],
    ['dow=MONDAY', '"MONDAY" is not a value of dow', 4, 6, DOW],
    ['dow=ſun', '"ſun" is not a value of dow', 4, 3, DOW],
    ['dow=JAN', '"JAN" is not a value of dow', 4, 3, DOW],
    ['dom=0', '"0" is not a value of dom', 4, 1, DOM],
    ['dom=32', '"32" is not a value of dom', 4, 2, DOM],
    ['months=13', '"13" is not a value of months', 7, 2, MONTHS],
    ['hours=22-4', 'the range "22-4" runs backwards', 6, 4, 'write hours=22-23,0-4'],
    ['dow=FRI-MON', 'the range "FRI-MON" runs backwards', 4, 7, 'write dow=FRI-SAT,SUN-MON'],
    ['dow=FRI-SUN', 'the range "FRI-SUN" runs backwards', 4, 7, 'write dow=FRI-SAT,SUN'],
    ['dow=7-2', 'the range "7-2" runs backwards', 4, 3, 'write dow=SUN-TUE'],
    ['months=1,NOV-FEB', 'the range "NOV-FEB" runs backwards', 9, 7, 'write months=NOV-DEC,JAN-FEB'],
    ['between=8:00-20:00', '"8:00-20:00" is not a span of the day', 8, 10, BETWEEN],
    ['between=08:00', '"08:00" is not a span of the day', 8, 5, BETWEEN],
    ['between=08:00-24:00', '"08:00-24:00" is not a span of the day', 8, 11, BETWEEN],
    ['between=08:60-09:00', '"08:60-09:00" is not a span of the day', 8, 11, BETWEEN],
    [
      'between=22:00-04:30',
      'the span "22:00-04:30" runs backwards',
      8,
      11,
      'for a span over midnight write two clauses: between=22:00-23:59;between=00:00-04:30',
    ],
    ['date=2026-02-29', '"2026-02-29" is not a date', 5, 10, 'write date=2026-12-24'],
    ['date=2026-1-1', '"2026-1-1" is not a date', 5, 8, 'write date=2026-12-24'],
    ['date=2026-12-24..2026-12-25', '"2026-12-24..2026-12-25" is not a date', 5, 22, 'write date=2026-12-24'],
    ['dates=2026-12-24', '"2026-12-24" is not a range of dates', 6, 10, 'write dates=2026-12-24..2026-12-31'],
    ['dates=a..b..c', '"a..b..c" is not a range of dates', 6, 7, 'write dates=2026-12-24..2026-12-31'],
    [
      'dates=2026-12-31..2026-12-24',
      'the range "2026-12-31..2026-12-24" runs backwards',
      6,
      22,
      'write the earlier date first',
    ],
  ]
  for (const [text, message, at, length, hint] of wrong) {
    assert.deepEqual(
      faultsOf(parseClause(text)),
      [{ category: 'ValidationError', message, hint, at, length }],
      text,
    )
  }
})

test('what is advised for a backward range is accepted', () => {
  for (const text of ['hours=22-4', 'dow=FRI-MON', 'dow=FRI-SUN', 'dow=7-2', 'months=NOV-FEB', 'dom=30-2']) {
    const [fault] = faultsOf(parseClause(text))
    value(parseClause(fault!.hint!.replace('write ', '')))
  }
})
