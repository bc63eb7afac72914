import { type CalendarRanges, findZone, type Parsed, type ZoneFinder } from '@kron/core'
import { parseDateList } from './date-list.ts'
import { parseIcs } from './ics.ts'

/** `ics`: iCalendar, RFC 5545. `dates`: one date or range of dates a line. */
export type CalendarKind = 'ics' | 'dates'

/** The days and times of a calendar file, or what is wrong with it. Pure; `find` knows the time zones. */
export const parseCalendar = (
  text: string,
  kind: CalendarKind,
  find: ZoneFinder = findZone,
): Parsed<CalendarRanges> => (kind === 'ics' ? parseIcs(text, find) : parseDateList(text))
