import type { Zone, ZoneFinder } from '@kron/core'
import ICAL from 'ical.js'

/** Where a time of an iCalendar file lies: a whole day, a time of no zone, or a time in a zone. */
export type Place =
  | { readonly kind: 'day' }
  | { readonly kind: 'floating' }
  | { readonly kind: 'zone'; toInstant(local: number): number; toLocal(instant: number): number }

/** Seconds since 1970-01-01T00:00:00 on the clock of the place. */
export const localOf = (time: ICAL.Time): number =>
  Date.UTC(
    time.year,
    time.month - 1,
    time.day,
    time.isDate ? 0 : time.hour,
    time.isDate ? 0 : time.minute,
    time.isDate ? 0 : time.second,
  ) / 1_000

/** The same clock reading without a zone. */
export function timeOf(local: number, isDate: boolean): ICAL.Time {
  const date = new Date(local * 1_000)
  return ICAL.Time.fromData(
    {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      ...(isDate
        ? {}
        : { hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() }),
      isDate,
    },
    ICAL.Timezone.localTimezone,
  )
}

const UTC: Place = { kind: 'zone', toInstant: local => local, toLocal: instant => instant }

/** The place of a property's time; a text if its zone is not known. */
export function placeOf(property: ICAL.Property, time: ICAL.Time, find: ZoneFinder): Place | string {
  if (time.isDate) return { kind: 'day' }
  if (time.zone === ICAL.Timezone.utcTimezone) return UTC
  const name = property.getFirstParameter('tzid')
  if (!name) return { kind: 'floating' }
  const known = named(name, find)
  if (known !== undefined) return inZone(known)
  // Such as "Romance Standard Time": the file itself says what it means.
  const own = property.parent?.getTimeZoneByID(name)
  return own ? inOwnZone(own) : `unknown time zone ${JSON.stringify(name)}`
}

/** An IANA name, also behind a prefix such as /example.org/20260101/Europe/Paris. */
function named(name: string, find: ZoneFinder): Zone | undefined {
  const words = name.split('/')
  for (const count of [words.length, 3, 2, 1]) {
    const zone = find(words.slice(-count).join('/'))
    if (zone !== undefined) return zone
  }
  return undefined
}

const inZone = (zone: Zone): Place => ({
  kind: 'zone',
  toInstant: local => instantOf(at => zone.offsetAt(at), local),
  toLocal: instant => instant + zone.offsetAt(instant),
})

function inOwnZone(zone: ICAL.Timezone): Place {
  const offsetAt = (instant: number): number => {
    // The library answers for clock readings: that of the offset it gives is the right one.
    const guess = zone.utcOffset(timeOf(instant, false))
    return zone.utcOffset(timeOf(instant + guess, false))
  }
  return {
    kind: 'zone',
    toInstant: local => instantOf(offsetAt, local),
    toLocal: instant => instant + offsetAt(instant),
  }
}

/** RFC 5545: a time that exists twice is the first; one that does not exist has the offset from before the gap. */
function instantOf(offsetAt: (instant: number) => number, local: number): number {
  const before = offsetAt(local - 86_400)
  const after = offsetAt(local + 86_400)
  const first = local - before
  if (offsetAt(first) === before) return first
  return offsetAt(local - after) === after ? local - after : first
}
