import assert from 'node:assert/strict'
import { test } from 'node:test'
import { value } from '@kron/testkit/reading'
import { CALENDAR_END, monthOf, monthOfYear, monthStart, weekdayOf } from '../zone/calendar.ts'
import { type Cron, matchesDay } from './cron.ts'
import { dayFrom, dayUpTo } from './day.ts'
import { parseCron } from './parse.ts'

const CRONS = [
  '* * *',
  '5 * *',
  '* * 1',
  '* 2 *',
  '29 2 *',
  '29 2 1',
  '29 1,2 *',
  '1 2 *',
  '29 3 *',
  '29 * *',
  '1 1 *',
  '5 1 *',
  '5 5 *',
  '31 * 5',
  '* 12 0',
  '30 4-6 *',
]

const isMatch = (cron: Cron, day: number): boolean => {
  const month = monthOf(day)
  return matchesDay(cron, monthOfYear(month) + 1, day - monthStart(month) + 1, weekdayOf(day))
}

/** Looks at one day after the other. */
function search(cron: Cron, day: number, step: 1 | -1): number {
  let at = day
  while (at >= 0 && at < CALENDAR_END && !isMatch(cron, at)) at += step
  return at
}

test('the nearest matching day is the one that looking day by day finds, at both ends of the calendar too', () => {
  for (const fields of CRONS) {
    const cron = value(parseCron(`0 0 ${fields}`, 'kron'))
    for (const first of [0, 11_000, 14_300, 51_100, CALENDAR_END - 400]) {
      for (let day = first; day < first + 400; day += 3) {
        assert.equal(dayFrom(cron, day), search(cron, day, 1), `${fields} from ${day}`)
        assert.equal(dayUpTo(cron, day), search(cron, day, -1), `${fields} up to ${day}`)
      }
    }
    const last = CALENDAR_END - 1
    assert.equal(dayFrom(cron, last), search(cron, last, 1), `${fields} from the last day`)
  }
})
