import { civilFromDays, weekdayOfDays } from '../time/civil.ts'
import type { Zone } from '../zone/zone.ts'
import { type Calendar, printCalendar, printSet } from './calendar.ts'
import type { Range } from './clause.ts'
import { inCalendars } from './named-calendar.ts'

export interface Constraints {
  readonly only?: Calendar
  readonly avoid?: Calendar
}

export const UNCONSTRAINED: Constraints = {}

export const MOST_CLAUSES = 64

/** Whether an instant satisfies `only` and does not satisfy `avoid`, in the zone. */
export function allows(constraints: Constraints, zone: Zone, at: number): boolean {
  const { only, avoid } = constraints
  if (only === undefined && avoid === undefined) return true
  const local = at + zone.offsetAt(at)
  if (only !== undefined && missedKind(only, at, local) !== undefined) return false
  return avoid === undefined || hitKind(avoid, at, local) === undefined
}

/** Why an instant is not allowed: `only hours=9-17`, `avoid date=2026-12-24`; undefined if it is allowed. */
export function rejection({ only, avoid }: Constraints, zone: Zone, at: number): string | undefined {
  const local = at + zone.offsetAt(at)
  const missed = only && missedKind(only, at, local)
  if (missed) return `only ${describe(only, missed)}`
  const hit = avoid && hitKind(avoid, at, local)
  return hit ? `avoid ${describe(avoid, hit)}` : undefined
}

export function printConstraints({ only, avoid }: Constraints): string {
  const sides = []
  if (only !== undefined) sides.push(`@only(${printCalendar(only).join(';')})`)
  if (avoid !== undefined) sides.push(`@avoid(${printCalendar(avoid).join(';')})`)
  return sides.join(' ')
}

type Kind = keyof Calendar

/** `only`: every kind that is present must hold. */
function missedKind(calendar: Calendar, at: number, local: number): Kind | undefined {
  const days = Math.floor(local / 86_400)
  const minute = Math.floor((local - days * 86_400) / 60)
  if (calendar.hours !== 0 && !has(calendar.hours, (minute / 60) | 0)) return 'hours'
  if (calendar.dow !== 0 && !has(calendar.dow, weekdayOfDays(days))) return 'dow'
  if (calendar.between.length > 0 && !within(calendar.between, minute)) return 'between'
  if (calendar.dates.length > 0 && !within(calendar.dates, days)) return 'dates'
  if (calendar.cals !== undefined && !inCalendars(calendar.cals, at, local)) return 'cals'
  if (calendar.dom === 0 && calendar.months === 0) return undefined
  const { month, day } = civilFromDays(days)
  if (calendar.dom !== 0 && !has(calendar.dom, day)) return 'dom'
  return calendar.months !== 0 && !has(calendar.months, month) ? 'months' : undefined
}

/** `avoid`: any kind that matches rejects. */
function hitKind(calendar: Calendar, at: number, local: number): Kind | undefined {
  const days = Math.floor(local / 86_400)
  const minute = Math.floor((local - days * 86_400) / 60)
  if (has(calendar.hours, (minute / 60) | 0)) return 'hours'
  if (has(calendar.dow, weekdayOfDays(days))) return 'dow'
  if (within(calendar.between, minute)) return 'between'
  if (within(calendar.dates, days)) return 'dates'
  if (calendar.cals !== undefined && inCalendars(calendar.cals, at, local)) return 'cals'
  if (calendar.dom === 0 && calendar.months === 0) return undefined
  const { month, day } = civilFromDays(days)
  if (has(calendar.dom, day)) return 'dom'
  return has(calendar.months, month) ? 'months' : undefined
}

const has = (bits: number, n: number): boolean => ((bits >>> n) & 1) === 1

function within(ranges: readonly Range[], n: number): boolean {
  for (const [from, to] of ranges) if (n >= from && n <= to) return true
  return false
}

function describe(calendar: Calendar, kind: Kind): string {
  if (kind !== 'between' && kind !== 'dates' && kind !== 'cals') return printSet(kind, calendar)
  return printCalendar({ ...EMPTY, [kind]: calendar[kind] }).join(';')
}

const EMPTY: Calendar = { hours: 0, dow: 0, dom: 0, months: 0, between: [], dates: [] }
