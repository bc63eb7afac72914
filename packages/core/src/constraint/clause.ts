import { type Fault, faulty, type Parsed, parsed, quote } from '../error/fault.ts'
import { daysFromCivil, daysInMonth } from '../time/civil.ts'

/** An inclusive range; `set` kinds keep bits instead. */
export type Range = readonly [from: number, to: number]

export type SetKind = 'hours' | 'dow' | 'dom' | 'months'

/** One clause: `hours=9-17`, `between=08:00-20:00`, `dates=2026-12-24..2026-12-31`. */
export type Clause =
  | { readonly kind: SetKind; readonly bits: number }
  | { readonly kind: 'between'; readonly range: Range }
  | { readonly kind: 'dates'; readonly range: Range }
  | { readonly kind: 'cal'; readonly name: string }

interface SetRules {
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
  readonly example: string
}

const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

export const SET_RULES: Readonly<Record<SetKind, SetRules>> = {
  hours: { min: 0, max: 23, names: [], example: 'hours=9-17' },
  dow: { min: 0, max: 7, names: WEEKDAYS, example: 'dow=MON-FRI' },
  dom: { min: 1, max: 31, names: [], example: 'dom=1,15' },
  months: { min: 1, max: 12, names: MONTHS, example: 'months=JAN-MAR' },
}

const KINDS = 'hours, dow, dom, months, between, date, dates, cal'

const isSetKind = (key: string): key is SetKind => Object.hasOwn(SET_RULES, key)

function malformed(at: number, length: number, message: string, hint: string): Parsed<never> {
  const fault: Fault = { category: 'ValidationError', message, hint, at, length }
  return faulty([fault])
}

export function parseClause(text: string): Parsed<Clause> {
  const equals = text.indexOf('=')
  if (equals < 1) {
    return malformed(
      0,
      text.length,
      `expected a clause such as hours=9-17, found ${quote(text)}`,
      `kinds are ${KINDS}`,
    )
  }
  const key = text.slice(0, equals)
  const value = text.slice(equals + 1)
  const at = equals + 1
  if (isSetKind(key)) return parseSet(key, value, at)
  if (key === 'between') return parseBetween(value, at)
  if (key === 'date' || key === 'dates') return parseDates(key, value, at)
  if (key === 'cal') return parseCal(value, at)
  return malformed(0, equals, `unknown constraint ${quote(key)}`, `kinds are ${KINDS}`)
}

function parseSet(kind: SetKind, value: string, at: number): Parsed<Clause> {
  const rules = SET_RULES[kind]
  const expected = `${kind} takes numbers from ${rules.min} to ${rules.max}${rules.names.length > 0 ? ' or names' : ''}, for example ${rules.example}`
  let bits = 0
  let start = at
  for (const item of value.split(',')) {
    const [first = '', second, ...more] = item.split('-')
    const from = numberOf(rules, first)
    const to = second === undefined ? from : numberOf(rules, second)
    if (from === undefined || to === undefined || more.length > 0) {
      return malformed(start, item.length, `${quote(item)} is not a value of ${kind}`, expected)
    }
    if (from > to) {
      const message = `the range ${quote(item)} runs backwards`
      return malformed(start, item.length, message, `write ${unwrapped(kind, from, to)}`)
    }
    for (let n = from; n <= to; n++) bits |= 1 << (kind === 'dow' ? n % 7 : n)
    start += item.length + 1
  }
  return parsed({ kind, bits: bits >>> 0 })
}

/** The two ranges that a range over the end of the set stands for; from weekday 7 it is only one. */
function unwrapped(kind: SetKind, from: number, to: number): string {
  const { min } = SET_RULES[kind]
  const max = kind === 'dow' ? 6 : SET_RULES[kind].max
  const upTo = printRange(kind, min, to)
  return from > max ? `${kind}=${upTo}` : `${kind}=${printRange(kind, from, max)},${upTo}`
}

export function printRange(kind: SetKind, from: number, to: number): string {
  const { min, names } = SET_RULES[kind]
  const name = (n: number): string => names[n - min] ?? String(n)
  return from === to ? name(from) : `${name(from)}-${name(to)}`
}

function numberOf({ min, max, names }: SetRules, text: string): number | undefined {
  if (/^[a-z]{3}$/i.test(text)) {
    const named = names.indexOf(text.toUpperCase())
    return named < 0 ? undefined : min + named
  }
  if (!/^\d{1,4}$/.test(text)) return undefined
  const n = Number(text)
  return n >= min && n <= max ? n : undefined
}

function parseBetween(value: string, at: number): Parsed<Clause> {
  const match = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(value)
  const [h1, m1, h2, m2] = (match?.slice(1).map(Number) ?? [99, 0, 0, 0]) as [number, number, number, number]
  if (h1 > 23 || m1 > 59 || h2 > 23 || m2 > 59) {
    const hint = 'write HH:MM-HH:MM from 00:00 to 23:59, for example between=08:00-20:00'
    return malformed(at, value.length, `${quote(value)} is not a span of the day`, hint)
  }
  const range: Range = [h1 * 60 + m1, h2 * 60 + m2]
  if (range[0] > range[1]) {
    const [from, to] = value.split('-')
    const hint = `for a span over midnight write two clauses: between=${from}-23:59;between=00:00-${to}`
    return malformed(at, value.length, `the span ${quote(value)} runs backwards`, hint)
  }
  return parsed({ kind: 'between', range })
}

/** A name that is safe as the name of a file. */
function parseCal(value: string, at: number): Parsed<Clause> {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(value)) return parsed({ kind: 'cal', name: value })
  const hint = 'use letters, digits, dots, - and _, for example cal=holidays for calendars/holidays.ics'
  return malformed(at, value.length, `${quote(value)} is not the name of a calendar`, hint)
}

function parseDates(key: 'date' | 'dates', value: string, at: number): Parsed<Clause> {
  const parts = key === 'date' ? [value, value] : value.split('..')
  const [from, to] = parts.map(dayOf)
  if (parts.length !== 2 || from === undefined || to === undefined) {
    const hint = key === 'date' ? 'write date=2026-12-24' : 'write dates=2026-12-24..2026-12-31'
    return malformed(
      at,
      value.length,
      `${quote(value)} is not a ${key === 'date' ? 'date' : 'range of dates'}`,
      hint,
    )
  }
  if (from > to)
    return malformed(
      at,
      value.length,
      `the range ${quote(value)} runs backwards`,
      'write the earlier date first',
    )
  return parsed({ kind: 'dates', range: [from, to] })
}

function dayOf(text: string): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (match === null) return undefined
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const real = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
  return real ? daysFromCivil(year, month, day) : undefined
}
