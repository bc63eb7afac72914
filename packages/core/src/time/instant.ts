import { faulty, type Parsed, parsed, quote } from '../error/fault.ts'
import { civilFromDays, daysFromCivil, daysInMonth } from './civil.ts'

/** Instants are whole epoch seconds. Every question between these two has its answer. */
export const EARLIEST = 0
export const LATEST = 7_289_654_399 // 2200-12-31T23:59:59Z

/** The last instant that has a year of four digits. */
export const LAST_PRINTABLE = 253_402_300_799

/** `YYYY-MM-DD` of a day number. */
export const printDate = (days: number): string => printInstant(days * 86_400).slice(0, 10)

/** RFC 3339 in UTC, always `YYYY-MM-DDTHH:MM:SSZ`. */
export function printInstant(seconds: number): string {
  const days = Math.floor(seconds / 86_400)
  const { year, month, day } = civilFromDays(days)
  const ofDay = seconds - days * 86_400
  const century = (year / 100) | 0
  const ofCentury = year - century * 100
  const hour = (ofDay / 3_600) | 0
  const minute = ((ofDay - hour * 3_600) / 60) | 0
  const second = ofDay % 60
  // One call makes one flat string: it is hashed next, and joining pieces would cost as much as the arithmetic.
  return String.fromCharCode(
    tens(century),
    ones(century),
    tens(ofCentury),
    ones(ofCentury),
    DASH,
    tens(month),
    ones(month),
    DASH,
    tens(day),
    ones(day),
    T,
    tens(hour),
    ones(hour),
    COLON,
    tens(minute),
    ones(minute),
    COLON,
    tens(second),
    ones(second),
    Z,
  )
}

const DASH = 45
const COLON = 58
const T = 84
const Z = 90

const tens = (n: number): number => 48 + ((n / 10) | 0)
const ones = (n: number): number => 48 + (n % 10)

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** Any RFC 3339 timestamp; a fraction of a second is dropped. */
export function parseInstant(text: string): Parsed<number> {
  const match = RFC3339.exec(text)
  if (match === null) return notAnInstant(text)
  // Field by field: a state holds many times, and an array of numbers for each costs more than the arithmetic.
  const year = Number(match[1])
  const month = Number(match[2])
  const day = Number(match[3])
  const hour = Number(match[4])
  const minute = Number(match[5])
  const second = Number(match[6])
  const offsetHour = Number(match[8] ?? 0)
  const offsetMinute = Number(match[9] ?? 0)
  const real =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    offsetHour <= 23 &&
    offsetMinute <= 59
  if (!real) return notAnInstant(text)
  const offset = (match[7] === '-' ? -1 : 1) * (offsetHour * 3_600 + offsetMinute * 60)
  return parsed(daysFromCivil(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset)
}

const notAnInstant = (text: string): Parsed<never> =>
  faulty([
    {
      category: 'ConfigurationError',
      message: `${quote(text)} is not an RFC 3339 time`,
      hint: 'write for example 2026-03-01T02:00:00Z or 2026-03-01T03:00:00+01:00',
      at: 0,
      length: text.length,
    },
  ])
