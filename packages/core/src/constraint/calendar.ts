import { printDate } from '../instant.ts'
import { type Clause, printRange, type Range, type SetKind } from './clause.ts'

/** The clauses of one side merged by kind: values of one kind are a union. A kind is absent if it is 0 or empty. */
export interface Calendar {
  readonly hours: number
  readonly dow: number
  readonly dom: number
  readonly months: number
  readonly between: readonly Range[]
  readonly dates: readonly Range[]
}

export function calendarOf(clauses: readonly Clause[]): Calendar {
  const bits = { hours: 0, dow: 0, dom: 0, months: 0 }
  const between: Range[] = []
  const dates: Range[] = []
  for (const clause of clauses) {
    if (clause.kind === 'between') between.push(clause.range)
    else if (clause.kind === 'dates') dates.push(clause.range)
    else bits[clause.kind] = (bits[clause.kind] | clause.bits) >>> 0
  }
  return { ...bits, between: union(between), dates: union(dates) }
}

/** Sorted, with ranges that touch or overlap joined: one set has one form. */
function union(ranges: readonly Range[]): readonly Range[] {
  const joined: [number, number][] = []
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
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
