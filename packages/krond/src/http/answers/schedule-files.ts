import { dirname } from 'node:path'
import {
  type CalendarRanges,
  calendarsOf,
  NO_RANGES,
  type Range,
  type Schedule,
  UTC,
  weightsOf,
  type Zone,
} from '@kron/core'
import type { Entry } from '@kron/host'
import type { CalendarRecord, CurveRecord, ScheduleFilesRecord, ZoneRecord } from '@kron/host/api'
import type { Viewer } from '../../api/viewer.ts'
import type { Query } from '../query.ts'
import type { Work } from '../slices.ts'
import { findJob, type Subject } from '../subject.ts'

/** The calendars, curves and time zones of one job or of all, each once. */
export function* scheduleFiles(subject: Subject, query: Query, viewer: Viewer): Work<ScheduleFilesRecord> {
  const files = new Files(subject.now())
  const identity = query.text('job')
  if (identity !== undefined) files.add((yield* findJob(subject, identity, viewer)).entry)
  else
    for (const slot of subject.jobs.slots()) {
      files.add(subject.jobs.entry(slot)!)
      if (slot % 256 === 0) yield
    }
  return files.record()
}

class Files {
  readonly #now: number
  readonly #calendars = new Map<string, CalendarRecord>()
  readonly #curves = new Map<string, CurveRecord>()
  readonly #zones = new Map<string, ZoneRecord>()
  /** Jobs share schedules. */
  readonly #seen = new Set<Schedule>()

  constructor(now: number) {
    this.#now = now
  }

  add({ schedule, path }: Entry): void {
    this.#addZone(schedule.zone)
    const weights = weightsOf(schedule)
    const calendars = calendarsOf(schedule)
    if ((weights === undefined && calendars.length === 0) || this.#seen.has(schedule)) return
    this.#seen.add(schedule)
    const directory = dirname(path)
    for (const { name, digest, ranges = NO_RANGES } of calendars)
      this.#calendars.set(`${directory}/${name}`, {
        directory,
        name,
        digest,
        ranges: near(ranges, this.#now),
      })
    if (weights?.curve === undefined) return
    const { file: name, curve } = weights
    this.#curves.set(`${directory}/${name}`, { directory, name, ...curve })
  }

  #addZone(zone: Zone): void {
    if (zone === UTC || this.#zones.has(zone.name)) return
    const table = zone.table(this.#now - 10 * YEAR, this.#now + 40 * YEAR)
    this.#zones.set(zone.name, { name: zone.name, ...table })
  }

  record(): ScheduleFilesRecord {
    return {
      calendars: [...this.#calendars.values()],
      curves: [...this.#curves.values()],
      zones: [...this.#zones.values()],
    }
  }
}

const DAY = 86_400
const YEAR = 366 * DAY
/** Calendars with more ranges than this are cut to the time around now. */
const MOST_RANGES = 5_000

/** The ranges, or those from 40 days ago to 400 days ahead if they are too many. */
function near(ranges: CalendarRanges, now: number): CalendarRanges {
  const { days, local, instants } = ranges
  if (days.length + local.length + instants.length <= MOST_RANGES) return ranges
  const within = (list: readonly Range[], unit: number): readonly Range[] =>
    list
      .filter(([from, to]) => to * unit >= now - 40 * DAY && from * unit <= now + 400 * DAY)
      .slice(0, MOST_RANGES)
  return { days: within(days, DAY), local: within(local, 1), instants: within(instants, 1) }
}
