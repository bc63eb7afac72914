import {
  type CalendarRanges,
  daysInMonth,
  type Parsed,
  parsed,
  quote,
  type Range,
  unionOfRanges,
  unusable,
  type ZoneFinder,
} from '@kron/core'
import ICAL from 'ical.js'
import { Budget, CalendarError, startsOf } from './occurrences.ts'
import { localOf, type Place, placeOf } from './zoned-time.ts'

const MOST_EVENTS = 50_000
const MOST_OCCURRENCES = 100_000
const MOST_ZONE_PARTS = 500
const MOST_DATES = 20_000
const EARLIEST_YEAR = 1_900
const DAY = 86_400
/** About a thousand years. The time of a much longer event could not be computed exactly. */
const LONGEST_DAYS = 366_000

interface Ranges {
  readonly days: Range[]
  readonly local: Range[]
  readonly instants: Range[]
}

/** The events of an iCalendar file. Cancelled events do not count; neither does the rest of the file. */
export function parseIcs(text: string, find: ZoneFinder): Parsed<CalendarRanges> {
  const ranges: Ranges = { days: [], local: [], instants: [] }
  try {
    const events = eventsIn(text)
    if (events.length > MOST_EVENTS) throw new CalendarError('it has too many events')
    const budget = new Budget(MOST_OCCURRENCES, 'occurrences')
    for (const [master, changes] of series(events)) addSeries(master, changes, find, budget, ranges)
  } catch (error) {
    const message =
      error instanceof CalendarError ? error.message : `it is not iCalendar: ${(error as Error).message}`
    const hint = 'krontab calendar check shows what is read of a file'
    return unusable(message.slice(0, 300), hint)
  }
  return parsed({
    days: unionOfRanges(ranges.days),
    local: unionOfRanges(ranges.local),
    instants: unionOfRanges(ranges.instants),
  })
}

function eventsIn(text: string): ICAL.Component[] {
  if (!/^\uFEFF?BEGIN:VCALENDAR\s*$/im.test(text))
    throw new CalendarError('it is not iCalendar: it has no BEGIN:VCALENDAR')
  const read = ICAL.parse(text) as unknown[]
  // A file may hold several calendars, one after the other.
  const calendars = (typeof read[0] === 'string' ? [read] : read) as unknown[]
  return calendars.flatMap(calendar => {
    const component = new ICAL.Component(calendar as string)
    checkZones(component)
    return component.getAllSubcomponents('vevent')
  })
}

/** Zones of the file itself are worked out by the library, without a bound of its own. */
function checkZones(calendar: ICAL.Component): void {
  const parts = calendar.getAllSubcomponents('vtimezone').flatMap(zone => zone.getAllSubcomponents())
  if (parts.length > MOST_ZONE_PARTS) throw new CalendarError('it has too many time zones')
  for (const part of parts) {
    for (const rule of part.getAllProperties('rrule'))
      if ((rule.getFirstValue() as ICAL.Recur).freq !== 'YEARLY')
        throw new CalendarError('a time zone changes in another way than yearly')
  }
}

/** Events by UID: each with the changes of single occurrences. A change without its event stands for itself. */
function series(
  events: readonly ICAL.Component[],
): [master: ICAL.Component | undefined, changes: ICAL.Component[]][] {
  const byId = new Map<string, [ICAL.Component | undefined, ICAL.Component[]]>()
  for (const [i, event] of events.entries()) {
    const isChange = event.hasProperty('recurrence-id')
    const uid = String(event.getFirstPropertyValue('uid') ?? `no uid ${i}`)
    const known = byId.get(uid)
    if (known === undefined) byId.set(uid, isChange ? [undefined, [event]] : [event, []])
    else if (isChange) known[1].push(event)
    else if (known[0] === undefined) known[0] = event
    // The same UID twice is a mistake of the producer; both are events.
    else byId.set(`${uid} ${i}`, [event, []])
  }
  return [...byId.values()]
}

function addSeries(
  master: ICAL.Component | undefined,
  changes: readonly ICAL.Component[],
  find: ZoneFinder,
  budget: Budget,
  ranges: Ranges,
): void {
  const changed = new Set<number>()
  for (const change of changes) {
    const { start } = timed(change, find)
    const of = change.getFirstProperty('recurrence-id')!
    const time = of.getFirstValue() as ICAL.Time
    const place = placed(of, time, find)
    changed.add(place.kind === 'zone' ? place.toInstant(localOf(time)) : localOf(time))
    if (!isCancelled(change)) add(change, [localOf(start)], find, ranges)
  }
  if (master === undefined || isCancelled(master)) return
  const { start, place } = timed(master, find)
  const starts = startsOf(master, start, place, budget).filter(
    local => !changed.has(place.kind === 'zone' ? place.toInstant(local) : local),
  )
  add(master, starts, find, ranges)
}

const isCancelled = (event: ICAL.Component): boolean =>
  String(event.getFirstPropertyValue('status') ?? '').toUpperCase() === 'CANCELLED'

function timed(event: ICAL.Component, find: ZoneFinder): { start: ICAL.Time; place: Place } {
  const property = event.getFirstProperty('dtstart')
  const start = property?.getFirstValue()
  if (!property || !(start instanceof ICAL.Time)) throw new CalendarError('an event has no DTSTART')
  const dates = [...event.getAllProperties('rdate'), ...event.getAllProperties('exdate')]
  if (dates.reduce((sum, each) => sum + each.jCal.length, 0) > MOST_DATES)
    throw new CalendarError('an event has too many dates')
  for (const each of [property, ...event.getAllProperties('dtend')]) checkDate(each)
  return { start, place: placed(property, start, find) }
}

/** The library moves the 99th of a month into a later one. */
function checkDate(property: ICAL.Property): void {
  const text = String(property.jCal[3])
  const [year, month, day] = text.split(/[-T]/, 3).map(Number) as [number, number, number]
  if (month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month) && year >= EARLIEST_YEAR)
    return
  throw new CalendarError(`${quote(text)} is not a date from ${EARLIEST_YEAR} on`)
}

function placed(property: ICAL.Property, time: ICAL.Time, find: ZoneFinder): Place {
  const place = placeOf(property, time, find)
  if (typeof place === 'string') throw new CalendarError(place)
  return place
}

/** Adds the occurrences of an event that begin at these local times. Times count in whole minutes. */
function add(event: ICAL.Component, starts: readonly number[], find: ZoneFinder, ranges: Ranges): void {
  const { start, place } = timed(event, find)
  const { days, seconds } = lengthOf(event, start, place, find)
  for (const local of starts) {
    if (place.kind === 'day') {
      const first = Math.floor(local / DAY)
      ranges.days.push([first, first + Math.max(1, days + Math.floor(seconds / DAY)) - 1])
      continue
    }
    const clock = (reading: number): number => (place.kind === 'zone' ? place.toInstant(reading) : reading)
    const from = clock(local)
    const to = clock(local + days * DAY) + seconds
    if (to > from) (place.kind === 'zone' ? ranges.instants : ranges.local).push([floor(from), ceil(to) - 1])
  }
}

const floor = (second: number): number => Math.floor(second / 60) * 60
const ceil = (second: number): number => Math.ceil(second / 60) * 60

/** RFC 5545: DTEND gives an exact length, DURATION days of the calendar and exact time; without either a day, or nothing. */
function lengthOf(
  event: ICAL.Component,
  start: ICAL.Time,
  place: Place,
  find: ZoneFinder,
): { readonly days: number; readonly seconds: number } {
  const duration = event.getFirstPropertyValue('duration')
  if (duration instanceof ICAL.Duration) {
    const { weeks, days, hours, minutes, seconds, isNegative } = duration
    if (isNegative) return { days: 0, seconds: 0 }
    const length = { days: weeks * 7 + days, seconds: hours * 3_600 + minutes * 60 + seconds }
    if (length.days + length.seconds / DAY > LONGEST_DAYS)
      throw new CalendarError(`an event lasts for more than ${LONGEST_DAYS} days`)
    return length
  }
  const property = event.getFirstProperty('dtend')
  const end = property?.getFirstValue()
  if (!property || !(end instanceof ICAL.Time)) return { days: start.isDate ? 1 : 0, seconds: 0 }
  if (place.kind === 'day') return { days: Math.floor((localOf(end) - localOf(start)) / DAY), seconds: 0 }
  const ends = placed(property, end, find)
  const instant = (at: Place, local: number): number => (at.kind === 'zone' ? at.toInstant(local) : local)
  return { days: 0, seconds: instant(ends, localOf(end)) - instant(place, localOf(start)) }
}
