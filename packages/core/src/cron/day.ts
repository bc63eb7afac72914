import {
  CALENDAR_END,
  MONTHS,
  monthLength,
  monthOf,
  monthOfYear,
  monthStart,
  weekdayOf,
  yearOf,
} from '../zone/calendar.ts'
import { ALL_DAYS, ALL_MONTHS, ALL_WEEKDAYS, type Cron, eitherDay, has, highest, lowest } from './cron.ts'

const FEBRUARY = 0b10
const LEAP_DAY = 28

/** The least matching day from `day` on, in days of the calendar table; its end if there is none. */
export function dayFrom(cron: Cron, day: number): number {
  if (isEveryDay(cron)) return day
  let month = monthOf(day)
  let from = day - monthStart(month)
  while (month < MONTHS) {
    const days = matchingDays(cron, month) & (-1 << from)
    if (days !== 0) return monthStart(month) + lowest(days)
    from = 0
    month = nextMonth(cron, month)
  }
  return CALENDAR_END
}

/** The greatest matching day up to `day`; -1 if there is none. */
export function dayUpTo(cron: Cron, day: number): number {
  if (isEveryDay(cron)) return day
  let month = monthOf(day)
  let upTo = day - monthStart(month)
  while (month >= 0) {
    const days = matchingDays(cron, month) & (ALL_DAYS >> (30 - upTo))
    if (days !== 0) return monthStart(month) + highest(days)
    upTo = 30
    month = previousMonth(cron, month)
  }
  return -1
}

const isEveryDay = (cron: Cron): boolean =>
  cron.days === ALL_DAYS && cron.weekdays === ALL_WEEKDAYS && cron.months === ALL_MONTHS

/** The matching days of a month as bits, bit 0 for the first. */
function matchingDays(cron: Cron, month: number): number {
  if (!has(cron.months, monthOfYear(month))) return 0
  const inMonth = ALL_DAYS >> (31 - monthLength(month))
  if (cron.weekdays === ALL_WEEKDAYS && !eitherDay(cron)) return cron.days & inMonth
  const byWeekday = daysByWeekday(cron.weekdays, weekdayOf(monthStart(month)))
  return (eitherDay(cron) ? cron.days | byWeekday : cron.days & byWeekday) & inMonth
}

/** The days of a month that begins on weekday `first` and whose weekday is in the set. */
function daysByWeekday(weekdays: number, first: number): number {
  const week = ((weekdays | (weekdays << 7)) >> first) & ALL_WEEKDAYS
  return week | (week << 7) | (week << 14) | (week << 21) | ((week & 7) << 28)
}

function nextMonth(cron: Cron, month: number): number {
  const ofYear = monthOfYear(month)
  const later = cron.months & (-2 << ofYear)
  if (later !== 0) return month - ofYear + lowest(later)
  const years = isLeapDay(cron) ? 4 - (yearOf(month) & 3) : 1
  return month - ofYear + 12 * years + lowest(cron.months)
}

function previousMonth(cron: Cron, month: number): number {
  const ofYear = monthOfYear(month)
  const earlier = cron.months & ((1 << ofYear) - 1)
  if (earlier !== 0) return month - ofYear + highest(earlier)
  const years = isLeapDay(cron) ? ((yearOf(month) - 1) & 3) + 1 : 1
  return month - ofYear - 12 * years + highest(cron.months)
}

/** Whether only a 29 February can match: the years between can then be left out. */
const isLeapDay = (cron: Cron): boolean =>
  cron.months === FEBRUARY && !cron.weekdayRestricted && lowest(cron.days) === LEAP_DAY
