import { printDate } from '../time/instant.ts'
import { type Clause, printRange, type Range, type SetKind } from './clause.ts'
import type { NamedCalendar } from './named-calendar.ts'

/** The clauses of one side merged by kind: values of one kind are a union. A kind is absent if it is 0 or empty. */
export interface Calendar {
  readonly hours: number
  readonly dow: number
  readonly dom: number
  readonly months: number
  readonly between: readonly Range[]
  readonly dates: readonly Range[]
  /** Calendars by name, in the order of their names. */
  readonly cals?: readonly NamedCalendar[]
}

export function calendarOf(clauses: readonly Clause[]): Calendar {
  const cals = calsOf(clauses)
  return {
    hours: bitsOf('hours', clauses),
    dow: bitsOf('dow', clauses),
    dom: bitsOf('dom', clauses),
    months: bitsOf('months', clauses),
    between: union(rangesOf('between', clauses)),
    dates: union(rangesOf('dates', clauses)),
    ...(cals.length === 0 ? {} : { cals }),
  }
}

function bitsOf(kind: SetKind, clauses: readonly Clause[]): number {
  let bits = 0
  for (const clause of clauses) if (clause.kind === kind) bits |= clause.bits
  return bits >>> 0
}

function calsOf(clauses: readonly Clause[]): NamedCalendar[] {
  const names = new Set(clauses.flatMap(clause => (clause.kind === 'cal' ? [clause.name] : [])))
  return [...names].sort().map(name => ({ name, digest: '', ranges: undefined }))
}

const rangesOf = (kind: 'between' | 'dates', clauses: readonly Clause[]): Range[] =>
  clauses.flatMap(clause => (clause.kind === kind ? [clause.range] : []))

/** Shared, so that the kinds a job does not use cost it nothing. */
const NONE: readonly Range[] = []

/** Sorted, with ranges that touch or overlap joined: one set has one form. */
export function union(ranges: readonly Range[]): readonly Range[] {
  if (ranges.length === 0) return NONE
  const joined: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  // A copy has exactly its size; a list that grew keeps room for more.
  return joined.slice()
}

/** Each kind that is present, as the text that would be parsed to it. */
export function printCalendar(calendar: Calendar): string[] {
  const clauses = (['hours', 'dow', 'dom', 'months'] as const)
    .filter(kind => calendar[kind] !== 0)
    .map(kind => printSet(kind, calendar))
  for (const [from, to] of calendar.between) clauses.push(`between=${clockTime(from)}-${clockTime(to)}`)
  for (const [from, to] of calendar.dates) {
    clauses.push(from === to ? `date=${printDate(from)}` : `dates=${printDate(from)}..${printDate(to)}`)
  }
  for (const { name } of calendar.cals ?? []) clauses.push(`cal=${name}`)
  return clauses
}

export function printSet(kind: SetKind, calendar: Calendar): string {
  const runs: [number, number][] = []
  for (let n = 0; n < 32; n++) {
    if (((calendar[kind] >>> n) & 1) === 0) continue
    const last = runs.at(-1)
    if (last !== undefined && last[1] === n - 1) last[1] = n
    else runs.push([n, n])
  }
  return `${kind}=${runs.map(([from, to]) => printRange(kind, from, to)).join(',')}`
}

const clockTime = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
