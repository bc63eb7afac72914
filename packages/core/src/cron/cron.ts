/**
 * A cron expression as sets of bits. A bit counts from the field's least value: bit 0 is minute 0, hour 0,
 * day 1, month 1, Sunday.
 */
export interface Cron {
  readonly minutesLow: number
  /** Bit 0 is minute 30: sixty bits do not fit into one small integer. */
  readonly minutesHigh: number
  readonly hours: number
  readonly days: number
  readonly months: number
  readonly weekdays: number
  /** Whether the day field is anything but `*`; `1-31` is restricted too. */
  readonly dayRestricted: boolean
  readonly weekdayRestricted: boolean
  /**
   * Vixie's rule for lines without a star in minute and hour: a time that a clock change skips occurs right after
   * the change, and a time that it shows twice occurs once. Absent: occurrences follow the clock.
   */
  readonly fixedTime?: true
  /** The job runs once per boot and never by the clock; the fields match nothing. */
  readonly reboot?: true
}

/** A 30 February never comes. */
export const AT_REBOOT: Cron = {
  minutesLow: 1,
  minutesHigh: 0,
  hours: 1,
  days: 2 ** 29,
  months: 2,
  weekdays: 2 ** 7 - 1,
  dayRestricted: true,
  weekdayRestricted: false,
  reboot: true,
}

export type Dialect = 'kron' | 'posix'

export const HALF = 30
export const HALF_HOUR = 2 ** HALF - 1
export const ALL_HOURS = 2 ** 24 - 1
export const ALL_DAYS = 2 ** 31 - 1
export const ALL_MONTHS = 2 ** 12 - 1
export const ALL_WEEKDAYS = 2 ** 7 - 1

/** Month and day from 1, weekday 0 = Sunday. */
export function matchesDay(cron: Cron, month: number, day: number, weekday: number): boolean {
  if (!has(cron.months, month - 1)) return false
  const byDay = has(cron.days, day - 1)
  const byWeekday = has(cron.weekdays, weekday)
  return eitherDay(cron) ? byDay || byWeekday : byDay && byWeekday
}

/** With both day fields restricted, either may match; an unrestricted one holds every day anyway. */
export const eitherDay = (cron: Cron): boolean => cron.dayRestricted && cron.weekdayRestricted

export function matchesTime(cron: Cron, hour: number, minute: number): boolean {
  if (!has(cron.hours, hour)) return false
  return minute < HALF ? has(cron.minutesLow, minute) : has(cron.minutesHigh, minute - HALF)
}

/** How many minutes of a matching day match. */
export const minutesPerDay = (cron: Cron): number =>
  (size(cron.minutesLow) + size(cron.minutesHigh)) * size(cron.hours)

export const has = (bits: number, bit: number): boolean => ((bits >>> bit) & 1) === 1

/** The least bit of a set that is not empty. */
export const lowest = (bits: number): number => 31 - Math.clz32(bits & -bits)

/** The greatest bit of a set that is not empty. */
export const highest = (bits: number): number => 31 - Math.clz32(bits)

function size(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
