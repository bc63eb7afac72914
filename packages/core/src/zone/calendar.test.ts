import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CALENDAR_END,
  EPOCH_DAY,
  monthLength,
  monthOf,
  monthOfYear,
  monthStart,
  weekdayOf,
  yearOf,
} from './calendar.ts'
import { TABLE_END, TABLE_START } from './zone.ts'

test('every day of the table has the date and weekday of the Gregorian calendar', () => {
  for (let day = 0; day < CALENDAR_END; day++) {
    const date = new Date((day - EPOCH_DAY) * 86_400_000)
    const month = monthOf(day)
    const ours = [yearOf(month), monthOfYear(month), day - monthStart(month) + 1, weekdayOf(day)]
    assert.deepEqual(ours, [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCDay()])
  }
})

test('February has 29 days in 2000 and 28 in 2100 and 2200', () => {
  const february = (year: number) => monthLength((year - 1960) * 12 + 1)
  assert.deepEqual([2000, 2024, 2100, 2200].map(february), [29, 29, 28, 28])
})

test('the calendar reaches at least a day beyond the zone tables on either side', () => {
  assert.ok(-EPOCH_DAY * 86_400 <= TABLE_START - 86_400)
  assert.ok((CALENDAR_END - EPOCH_DAY) * 86_400 >= TABLE_END + 86_400)
})
