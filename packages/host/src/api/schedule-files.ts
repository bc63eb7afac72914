import type { CalendarRanges, Curve, ZoneTable } from '@kron/core'

/** A calendar that jobs name in their constraints. */
export interface CalendarRecord {
  /** The directory of the job files that name it. */
  readonly directory: string
  readonly name: string
  /** SHA-256 of its file. */
  readonly digest: string
  /** Days since 1970-01-01, local seconds and epoch seconds; both ends belong to a range. */
  readonly ranges: CalendarRanges
}

/** A curve that jobs follow with `@dist(weights)`. */
export interface CurveRecord {
  readonly directory: string
  readonly name: string
  readonly digest: string
  /** The steps, or why there are none. */
  readonly steps: Curve['steps']
}

/** The offsets of a time zone in krond's data, from ten years ago to forty years ahead. */
export interface ZoneRecord extends ZoneTable {
  readonly name: string
}

/** `GET /api/v1/schedule-files`: the calendars, weights and time zones with which anybody can compute the same decisions. */
export interface ScheduleFilesRecord {
  readonly calendars: readonly CalendarRecord[]
  readonly curves: readonly CurveRecord[]
  readonly zones: readonly ZoneRecord[]
}
