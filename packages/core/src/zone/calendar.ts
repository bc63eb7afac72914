import { daysFromCivil } from '../time/civil.ts'

/**
 * The calendar of the zone tables' span as one table of months, which makes date arithmetic a matter of a lookup.
 * Months are numbered from January 1960 and days from 1960-01-01, so both stay small and never negative.
 */
const FIRST_YEAR = 1960
export const MONTHS = (2208 - FIRST_YEAR) * 12 + 4

/** Days from 1960-01-01 to 1970-01-01. */
export const EPOCH_DAY = -daysFromCivil(FIRST_YEAR, 1, 1)

const starts = Int32Array.from(
  { length: MONTHS + 1 },
  (_, index) => EPOCH_DAY + daysFromCivil(FIRST_YEAR + Math.floor(index / 12), (index % 12) + 1, 1),
)

/** The day after the last month. */
export const CALENDAR_END = starts[MONTHS]!

/** The month that holds a day; the estimate is right or one short over the whole table. */
export function monthOf(day: number): number {
  const estimate = (day * 2153 - 25000) >> 16
  return estimate + (starts[estimate + 1]! <= day ? 1 : 0)
}

export const monthStart = (month: number): number => starts[month]!
export const monthLength = (month: number): number => starts[month + 1]! - starts[month]!
export const yearOf = (month: number): number => FIRST_YEAR + ((month / 12) | 0)

/** 0 = January. */
export const monthOfYear = (month: number): number => month % 12

/** 0 = Sunday; 1960-01-01 was a Friday. */
export const weekdayOf = (day: number): number => (day + 5) % 7
