import { civilFromDays, daysFromCivil, daysInMonth } from './civil.ts'
import { faulty, type Parsed, parsed, quote } from './fault.ts'

/** Instants are whole epoch seconds. Every answer lies between these two. */
export const EARLIEST = 0
export const LATEST = 7_289_654_399 // 2200-12-31T23:59:59Z

const TWO = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))

/** `YYYY-MM-DD` of a day number. */
export function printDate(days: number): string {
  const { year, month, day } = civilFromDays(days)
  return `${TWO[(year / 100) | 0]!}${TWO[year % 100]!}-${TWO[month]!}-${TWO[day]!}`
}

/** RFC 3339 in UTC, always `YYYY-MM-DDTHH:MM:SSZ`. */
export function printInstant(seconds: number): string {
  const days = Math.floor(seconds / 86_400)
  const second = seconds - days * 86_400
  const hour = (second / 3_600) | 0
  const minute = ((second % 3_600) / 60) | 0
  return `${printDate(days)}T${TWO[hour]!}:${TWO[minute]!}:${TWO[second % 60]!}Z`
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** Any RFC 3339 timestamp; a fraction of a second is dropped. */
export function parseInstant(text: string): Parsed<number> {
  const match = RFC3339.exec(text)
  if (match === null) return notAnInstant(text)
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
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
