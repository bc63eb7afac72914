import { type Fault, faulty, type Parsed, parsed, quote } from '../error/fault.ts'

/** Durations are whole nanoseconds in a number; every accepted one is below 2^53. */
export const SECOND = 1_000_000_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

const UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1_000,
  µs: 1_000, // U+00B5
  μs: 1_000, // U+03BC
  ms: 1_000_000,
  s: SECOND,
  m: MINUTE,
  h: HOUR,
}
const COMPONENT = /(\d+\.?\d*|\.\d+)([^\d.\s]*)/y
/** More digits after the point say nothing about a whole nanosecond, even of an hour. */
const MOST_PLACES = 18
const UNIT_NAMES = 'units are ns us ms s m h'
const WRITE = 'write for example 90s, 1h30m or 24h'

function fault(text: string, at: number, length: number, reason: string, hint = WRITE): Parsed<never> {
  const message = `${quote(text)} is not a duration: ${reason}`
  const found: Fault = { category: 'ConfigurationError', message, hint, at, length }
  return faulty([found])
}

function unitFault(text: string, at: number, digits: string, unit: string): Parsed<never> {
  if (unit === '') return fault(text, at, digits.length, 'a number without a unit', `${WRITE}; ${UNIT_NAMES}`)
  const days = unit === 'd' || unit === 'w'
  const hint = days ? 'days and weeks have no fixed length: write 24h or 168h' : UNIT_NAMES
  return fault(text, at + digits.length, unit.length, `unknown unit ${quote(unit)}`, hint)
}

/** Nanoseconds in a decimal number of a unit; what is less than a nanosecond is dropped. */
function nanoseconds(digits: string, unit: number): number {
  const [integer = '', fraction = ''] = digits.split('.')
  const places = fraction.slice(0, MOST_PLACES)
  let scale = 1
  for (let i = 0; i < places.length; i++) scale *= 10
  return Number(integer) * unit + Math.floor(Number(places) * (unit / scale))
}

/** Go-style text: `300ms`, `1h30m`, `1.5h`; `0` alone needs no unit. */
export function parseDuration(text: string): Parsed<number> {
  if (text === '') return fault(text, 0, 0, 'nothing is written')
  if (text === '0') return parsed(0)
  if (text[0] === '-' || text[0] === '+') {
    const hint = text[0] === '-' ? 'durations are never negative' : 'write it without a sign'
    return fault(text, 0, 1, 'a sign is not allowed', hint)
  }
  let total = 0
  let at = 0
  while (at < text.length) {
    COMPONENT.lastIndex = at
    const match = COMPONENT.exec(text)
    if (match === null) return fault(text, at, 1, `expected a number, found ${quote(text[at]!)}`)
    const [whole, digits, unit] = match as unknown as [string, string, string]
    const size = Object.hasOwn(UNITS, unit) ? UNITS[unit]! : undefined
    if (size === undefined) return unitFault(text, at, digits, unit)
    total += nanoseconds(digits, size)
    at += whole.length
  }
  if (total > Number.MAX_SAFE_INTEGER) {
    const message = `${quote(text)} is too long a duration: the most that can be held is about 104 days`
    return faulty([
      { category: 'ValidationError', message, at: 0, length: text.length, hint: 'write at most 744h' },
    ])
  }
  return parsed(total)
}

/** The shortest text that parses back to the same duration. */
export function printDuration(ns: number): string {
  if (ns === 0) return '0s'
  for (const [unit, size] of [
    ['ns', 1],
    ['us', 1_000],
    ['ms', 1_000_000],
  ] as const) {
    if (ns < size * 1_000) return `${decimal(ns, size)}${unit}`
  }
  const hours = Math.floor(ns / HOUR)
  const minutes = Math.floor((ns % HOUR) / MINUTE)
  const rest = ns % MINUTE
  return (
    (hours ? `${hours}h` : '') + (minutes ? `${minutes}m` : '') + (rest ? `${decimal(rest, SECOND)}s` : '')
  )
}

function decimal(ns: number, size: number): string {
  const whole = Math.floor(ns / size)
  const rest = ns % size
  if (rest === 0) return String(whole)
  const places = String(size).length - 1
  return `${whole}.${String(rest).padStart(places, '0').replace(/0+$/, '')}`
}
