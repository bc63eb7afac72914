import { dateOf, nextDay, WallClock } from '@kron/core'

/** A crontab schedule in the form of Debian's cron: sets of values, and whether each field had a star. */
interface VixieTable {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  readonly weekdays: ReadonlySet<number>
  readonly dayStar: boolean
  readonly weekdayStar: boolean
  /** A star in the minutes or hours: such jobs follow the clock; for the others cron compensates its changes. */
  readonly wildcard: boolean
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ')

function valuesOf(
  text: string,
  low: number,
  high: number,
  names: readonly string[],
  first: number,
): Set<number> {
  const values = new Set<number>()
  const number = (word: string): number => {
    const index = names.indexOf(word.toLowerCase())
    return index >= 0 ? index + first : Number(word)
  }
  for (const element of text.split(',')) {
    const [range = '', step = '1'] = element.split('/')
    const random = range.indexOf('~')
    let from = low
    let to = high
    if (random >= 0) {
      // cronie draws the value when it loads the file: this is the earliest possible one.
      from = range.slice(0, random) === '' ? low : Number(range.slice(0, random))
      to = from
    } else if (range !== '*') {
      const [a = '', b = a] = range.split('-')
      from = number(a)
      to = number(b)
    }
    // A step of 0 counts as no step; Vixie's cron refuses the line.
    for (let value = from; value <= to; value += Math.max(1, Number(step))) values.add(value)
  }
  return values
}

function tableOf(fields: readonly string[], macro: boolean): VixieTable {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  const weekdays = valuesOf(weekday, 0, 7, WEEKDAYS, 0)
  if (weekdays.has(7)) weekdays.add(0)
  return {
    minutes: valuesOf(minute, 0, 59, [], 0),
    hours: valuesOf(hour, 0, 23, [], 0),
    days: valuesOf(day, 1, 31, [], 0),
    months: valuesOf(month, 1, 12, MONTHS, 1),
    weekdays,
    dayStar: day.startsWith('*'),
    weekdayStar: weekday.startsWith('*'),
    wildcard: hour.startsWith('*') || (!macro && minute.startsWith('*')),
  }
}

function dayMatches(table: VixieTable, localMinute: number): boolean {
  const { month, day, weekday } = dateOf(localMinute)
  if (!table.months.has(month)) return false
  const [byDay, byWeekday] = [table.days.has(day), table.weekdays.has(weekday)]
  return table.dayStar || table.weekdayStar ? byDay && byWeekday : byDay || byWeekday
}

function minuteMatches(table: VixieTable, localMinute: number): boolean {
  const ofDay = ((localMinute % 1440) + 1440) % 1440
  return (
    table.hours.has(Math.floor(ofDay / 60)) && table.minutes.has(ofDay % 60) && dayMatches(table, localMinute)
  )
}

/** A larger change of the clock counts as a correction, and cron makes up for nothing. */
const LONGEST_CHANGE = 180

/**
 * The times at which Debian's cron starts an entry after an instant, by waking every minute as the daemon does: after
 * the clock went forward, entries at fixed times make up for the skipped minutes; while the clock repeats minutes after
 * it went back, only entries with a star in minute or hour run.
 */
export function* cronStarts(
  fields: readonly string[],
  macro: boolean,
  zone: string,
  after: number,
  until: number,
): Generator<number, void, void> {
  const table = tableOf(fields, macro)
  const clock = WallClock.of(zone)
  let minute = Math.floor(after / 60) + 1
  let reached = clock.at(minute - 1)
  while (minute * 60 <= until) {
    const local = clock.at(minute)
    const change = local - reached
    if (change === 1) {
      if (minuteMatches(table, local)) yield minute * 60
      reached = local
      if (!dayMatches(table, local)) {
        const next = nextDay(clock, minute)
        reached = clock.at(next - 1)
        minute = next - 1
      }
    } else if (change > 1 && change <= LONGEST_CHANGE) {
      if (table.wildcard && minuteMatches(table, local)) yield minute * 60
      for (let missed = reached + 1; missed <= local; missed++) {
        if (!table.wildcard && minuteMatches(table, missed)) yield minute * 60
      }
      reached = local
    } else if (change <= 0 && change > -LONGEST_CHANGE) {
      if (table.wildcard && minuteMatches(table, local)) yield minute * 60
    } else {
      if (minuteMatches(table, local)) yield minute * 60
      reached = local
    }
    minute++
  }
}
