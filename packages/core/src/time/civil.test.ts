import assert from 'node:assert/strict'
import { test } from 'node:test'
import { civilFromDays, daysFromCivil, daysInMonth, isLeap, weekdayOfDays } from './civil.ts'

test('every day from 1900 to 2210 agrees with Date', () => {
  const first = Date.UTC(1900, 0, 1) / 86_400_000
  const last = Date.UTC(2210, 11, 31) / 86_400_000
  for (let days = first; days <= last; days++) {
    const date = new Date(days * 86_400_000)
    const civil = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    assert.deepEqual(civilFromDays(days), civil)
    assert.equal(daysFromCivil(civil.year, civil.month, civil.day), days)
    assert.equal(weekdayOfDays(days), date.getUTCDay())
  }
})

test('months have the length the calendar gives them', () => {
  for (let year = 1896; year <= 2404; year++) {
    assert.equal(isLeap(year), new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1)
    for (let month = 1; month <= 12; month++) {
      assert.equal(daysInMonth(year, month), new Date(Date.UTC(year, month, 0)).getUTCDate())
    }
  }
})
