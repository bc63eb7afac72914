import { SchedulingError } from '../error/error.ts'
import { type Fault, faulty, type Parsed, parsed, quote } from '../error/fault.ts'
import type { Schedule } from '../schedule/schedule.ts'
import type { Calendar } from './calendar.ts'
import type { Range } from './clause.ts'

/** The days and times that a calendar file names. Sorted, without overlap; both ends belong to a range. */
export interface CalendarRanges {
  /** Whole local days, as days since 1970-01-01. */
  readonly days: readonly Range[]
  /** Local times, as seconds since 1970-01-01T00:00:00 in whatever zone the job has; whole minutes. */
  readonly local: readonly Range[]
  /** Instants, as epoch seconds; whole minutes. */
  readonly instants: readonly Range[]
}

/** A calendar that a constraint names: `cal=holidays`. */
export interface NamedCalendar {
  readonly name: string
  /** SHA-256 of the file; empty until the calendar is found. */
  readonly digest: string
  /** Undefined until the calendar is found: a schedule with such a calendar decides nothing. */
  readonly ranges: CalendarRanges | undefined
}

export const NO_RANGES: CalendarRanges = { days: [], local: [], instants: [] }

/** Whether an instant lies in one of the calendars. */
export function inCalendars(calendars: readonly NamedCalendar[], at: number, local: number): boolean {
  for (const { name, ranges } of calendars) {
    if (ranges === undefined) throw notFound(name)
    if (
      contains(ranges.days, Math.floor(local / 86_400)) ||
      contains(ranges.local, local) ||
      contains(ranges.instants, at)
    )
      return true
  }
  return false
}

const notFound = (name: string): SchedulingError =>
  new SchedulingError(`the calendar ${quote(name)} was not read`, { component: 'core', operation: 'decide' })

/** By bisection: a calendar of a century of days has many ranges. */
function contains(ranges: readonly Range[], n: number): boolean {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ranges[middle]![1] < n) low = middle + 1
    else high = middle
  }
  return low < ranges.length && ranges[low]![0] <= n
}

/** Every calendar of a schedule, once. */
export function calendarsOf({ constraints }: Schedule): readonly NamedCalendar[] {
  const { only, avoid } = constraints
  if (only?.cals === undefined && avoid?.cals === undefined) return NONE
  const all = [...(only?.cals ?? []), ...(avoid?.cals ?? [])]
  return all.filter((each, i) => all.findIndex(other => other.name === each.name) === i)
}

const NONE: readonly NamedCalendar[] = []

/** The digest of each calendar by its name, as a decision records it; undefined if there is none. */
export function calendarDigests(schedule: Schedule): Readonly<Record<string, string>> | undefined {
  const calendars = calendarsOf(schedule)
  if (calendars.length === 0) return undefined
  return Object.fromEntries(calendars.map(({ name, digest }) => [name, digest]))
}

/** Whether two schedules have the same calendars, with the same content. */
export function sameCalendars(one: Schedule, other: Schedule): boolean {
  const [first, second] = [calendarsOf(one), calendarsOf(other)]
  return (
    first.length === second.length &&
    first.every(({ name, digest }, i) => second[i]!.name === name && second[i]!.digest === digest)
  )
}

/** Finds a calendar by its name. */
export type CalendarFinder = (name: string) => Parsed<NamedCalendar>

/** The schedule with its calendars found; itself if it has none. A missing calendar is a fault. */
export function withCalendars(schedule: Schedule, find: CalendarFinder): Parsed<Schedule> {
  if (calendarsOf(schedule).length === 0) return parsed(schedule)
  const faults: Fault[] = []
  const found = (side: Calendar | undefined): Calendar | undefined =>
    side?.cals === undefined
      ? side
      : {
          ...side,
          cals: side.cals.map(each => {
            const calendar = find(each.name)
            if (calendar.ok) return calendar.value
            faults.push(...calendar.faults)
            return each
          }),
        }
  const only = found(schedule.constraints.only)
  const avoid = found(schedule.constraints.avoid)
  if (faults.length > 0) return faulty(faults)
  const constraints = { ...(only === undefined ? {} : { only }), ...(avoid === undefined ? {} : { avoid }) }
  return parsed({ ...schedule, constraints })
}
