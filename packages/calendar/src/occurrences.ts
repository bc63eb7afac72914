import ICAL from 'ical.js'
import { localOf, type Place, timeOf } from './zoned-time.ts'

/** Occurrences are written out up to here, and none begins before 1970. */
const HORIZON = Date.UTC(2100, 0, 1) / 1_000
const LAST_YEAR = 2_100

/** An iCalendar file that is refused; the message is for its author. */
export class CalendarError extends Error {}

/** Counts work over a whole file. */
export class Budget {
  #left: number
  readonly #what: string

  constructor(most: number, what: string) {
    this.#left = most
    this.#what = what
  }

  spend(): void {
    if (--this.#left < 0) throw new CalendarError(`it has too many ${this.#what}`)
  }
}

/** The starts of a component on the clock of its place: DTSTART, RRULE and RDATE without EXDATE. Sorted. */
export function startsOf(
  component: ICAL.Component,
  start: ICAL.Time,
  place: Place,
  budget: Budget,
): number[] {
  const first = localOf(start)
  const starts = new Set<number>([first])
  for (const rule of component.getAllProperties('rrule')) {
    for (const each of repeats(rule.getFirstValue() as ICAL.Recur, first, start.isDate, place, budget))
      starts.add(each)
  }
  for (const each of listed(component, 'rdate', place)) {
    budget.spend()
    starts.add(each)
  }
  for (const each of listed(component, 'exdate', place)) starts.delete(each)
  const excluded = excludedDays(component, start.isDate)
  return [...starts]
    .filter(each => each >= 0 && each < HORIZON && !excluded.has(Math.floor(each / 86_400)))
    .sort((a, b) => a - b)
}

/** The starts that one rule gives. If no time satisfies the rule, the library searches for ever: `guard` ends the search. */
function* repeats(
  rule: ICAL.Recur,
  first: number,
  isDate: boolean,
  place: Place,
  budget: Budget,
): Generator<number, void, void> {
  if (rule.freq === 'SECONDLY' || rule.freq === 'MINUTELY')
    throw new CalendarError(`it repeats ${rule.freq.toLowerCase()}, which is no calendar of days and hours`)
  const bounded = rule.clone()
  // The library also counts times that do not fit the rule. So it gets no COUNT, and `left` counts those that fit.
  bounded.count = null as unknown as number
  bounded.until = timeOf(Math.min(HORIZON, lastOf(rule, place)), isDate)
  if (localOf(bounded.until) < first) return
  try {
    const begin = timeOf(first, isDate)
    const iterator = bounded.iterator(begin)
    guard(iterator, budget)
    let left = rule.count || Number.POSITIVE_INFINITY
    for (let next = iterator.next(); next && left > 0; next = iterator.next()) {
      budget.spend()
      if (!fits(rule, next, begin)) continue
      left--
      yield localOf(next)
    }
  } catch (error) {
    // A rule that nothing satisfies has no occurrence but DTSTART.
    if (error instanceof PastHorizon) return
    if (error instanceof CalendarError) throw error
    if ((error as Error).name !== 'InvalidRecurrenceRuleError')
      throw new CalendarError(`a rule cannot be read: ${(error as Error).message}`)
  }
}

/**
 * Whether an occurrence satisfies its rule. The library moves a day that a month does not have into the next month, and
 * counts a DTSTART that the rule does not name.
 */
function fits(rule: ICAL.Recur, time: ICAL.Time, first: ICAL.Time): boolean {
  const months = rule.getComponent('BYMONTH') as number[]
  const days = rule.getComponent('BYMONTHDAY') as number[]
  const weekdays = rule.getComponent('BYDAY') as string[]
  if (months.length > 0 && !months.includes(time.month)) return false
  if (weekdays.length > 0 && !weekdays.some(each => each.endsWith(WEEKDAYS[time.dayOfWeek() - 1]!)))
    return false
  if (days.length > 0) {
    const fromEnd = time.day - ICAL.Time.daysInMonth(time.month, time.year) - 1
    return days.includes(time.day) || days.includes(fromEnd)
  }
  const names = ['BYDAY', 'BYYEARDAY', 'BYWEEKNO'].some(part => rule.getComponent(part).length > 0)
  const isSparse = rule.freq === 'MONTHLY' || rule.freq === 'YEARLY'
  return names || !isSparse || time.day === first.day
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

class PastHorizon extends Error {}

interface Stepping {
  last: ICAL.Time
  check_contracting_rules(): boolean
}

/** The library asks this after every step it takes, so here it can be stopped. */
function guard(iterator: ICAL.RecurIterator, budget: Budget): void {
  const stepping = iterator as unknown as Stepping
  const check = stepping.check_contracting_rules.bind(stepping)
  stepping.check_contracting_rules = () => {
    if (stepping.last.year > LAST_YEAR) throw new PastHorizon()
    const fits = check()
    if (!fits) budget.spend()
    return fits
  }
}

/** The last instant of a rule on the clock of its place. A date includes its whole day. */
function lastOf({ until }: ICAL.Recur, place: Place): number {
  if (!until) return HORIZON
  const local = localOf(until)
  if (until.isDate) return place.kind === 'day' ? local : local + 86_399
  if (until.zone !== ICAL.Timezone.utcTimezone) return local
  if (place.kind === 'zone') return place.toLocal(local)
  return place.kind === 'day' ? local - (local % 86_400) : local
}

/** The times of RDATE or EXDATE on the clock of the place; of a period its start. */
function* listed(
  component: ICAL.Component,
  name: 'rdate' | 'exdate',
  place: Place,
): Generator<number, void, void> {
  for (const property of component.getAllProperties(name)) {
    for (const value of property.getValues() as (ICAL.Time | ICAL.Period)[]) {
      const time = value instanceof ICAL.Period ? value.start : value
      if (name === 'exdate' && time.isDate && place.kind !== 'day') continue
      const local = localOf(time)
      const isUtc = time.zone === ICAL.Timezone.utcTimezone && !time.isDate
      yield isUtc && place.kind === 'zone' ? place.toLocal(local) : local
    }
  }
}

/** Days of an EXDATE that has no time though the event has one: all its occurrences of the day are left out. */
function excludedDays(component: ICAL.Component, isDate: boolean): ReadonlySet<number> {
  if (isDate) return new Set()
  const days = component
    .getAllProperties('exdate')
    .flatMap(property => property.getValues() as ICAL.Time[])
    .filter(time => time.isDate)
    .map(time => Math.floor(localOf(time) / 86_400))
  return new Set(days)
}
