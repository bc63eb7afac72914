import {
  type Curve,
  calendarsOf,
  endOffset,
  faulty,
  findZone,
  type Job,
  type NamedCalendar,
  parsed,
  type Range,
  type Schedule,
  startOffset,
  withCalendars,
  withCurve,
  Zone,
} from '@kron/core'
import type { JobRecord, ScheduleFilesRecord } from '../api/records.ts'

let calendars = new Map<string, NamedCalendar>()
let curves = new Map<string, Curve>()
let zones = new Map<string, Zone>()
/** Grows with every new set of files, so that everything computed from the old ones is dropped. */
let version = 0

export const filesVersion = (): number => version

/** A zone as krond knows it; zones that no job has are the browser's. */
export const zoneNamed = (name: string): Zone | undefined => zones.get(name) ?? findZone(name)

/** Whether some job needs a calendar, weights or a time zone. */
export const needFiles = (jobs: readonly JobRecord[]): boolean =>
  jobs.some(
    ({ schedule }) =>
      schedule.includes('cal=') || schedule.includes('@dist(weights') || schedule.includes('@tz('),
  )

/** Takes the calendars, weights and time zones that krond decides with. */
export function takeFiles(files: ScheduleFilesRecord): void {
  calendars = new Map(files.calendars.map(each => [`${each.directory}/${each.name}`, each]))
  curves = new Map(files.curves.map(each => [`${each.directory}/${each.name}`, each]))
  zones = new Map(files.zones.map(({ name, ...table }) => [name, Zone.fromTable(name, table)]))
  version++
}

/** The schedule with its calendars and weights; undefined if they are not known here. */
export function withFiles(identity: string, schedule: Schedule): Schedule | undefined {
  const directory = identity.slice(0, identity.lastIndexOf('/'))
  const found = withCalendars(schedule, name => {
    const calendar = calendars.get(`${directory}/${name}`)
    return calendar === undefined ? faulty([]) : parsed(calendar)
  })
  if (!found.ok || calendarsOf(found.value).some(each => each.ranges === undefined)) return undefined
  const { distribution } = found.value
  if (distribution.name !== 'weights') return found.value
  const curve = curves.get(`${directory}/${distribution.file}`)
  return curve === undefined ? undefined : withCurve(found.value, () => curve)
}

/** A time that a calendar of a job names. Epoch seconds. */
export interface CalendarTime {
  readonly name: string
  readonly from: number
  readonly to: number
}

const DAY = 86_400

/** The times of a job's calendars that touch [from, to]. */
export function calendarTimes({ schedule }: Job, from: number, to: number): CalendarTime[] {
  const { zone } = schedule
  const instantOf = (local: number): number => local - zone.offsetAt(local - zone.offsetAt(local))
  return calendarsOf(schedule).flatMap(({ name, ranges }) => {
    const { days = [], local = [], instants = [] } = ranges ?? {}
    const times = (list: readonly Range[], of: (range: Range) => Range): CalendarTime[] =>
      list.flatMap(range => {
        const [first, last] = of(range)
        return last < from || first > to ? [] : [{ name, from: first, to: last }]
      })
    return [
      ...times(days, ([first, last]) => [instantOf(first * DAY), instantOf((last + 1) * DAY) - 1]),
      ...times(local, ([first, last]) => [instantOf(first), instantOf(last)]),
      ...times(instants, range => range),
    ]
  })
}

/** Whether the windows of a schedule differ in how likely their parts are. */
export const variesByWindow = ({ distribution, window }: Schedule): boolean =>
  distribution.name === 'weights' && endOffset(window) > startOffset(window)
