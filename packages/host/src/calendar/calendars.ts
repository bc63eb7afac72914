import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import {
  type CalendarRanges,
  calendarsOf,
  type NamedCalendar,
  type Parsed,
  parsed,
  quote,
  type Schedule,
  unusable,
  withCalendars,
} from '@kron/core'
import type { Entry } from '../job-file/entry.ts'
import type { PathTrust } from '../job-file/path-trust.ts'
import { readJobFile } from '../job-file/read.ts'

/** Reads the text of a calendar file; `@kron/calendar` has one. */
export type CalendarParser = (text: string, kind: 'ics' | 'dates') => Parsed<CalendarRanges>

/** Where the calendars of the job files in a directory lie. */
export const calendarDirectory = (directory: string): string => join(directory, 'calendars')

const LARGEST = 10 * 1024 * 1024

/** Gives jobs the calendars that their constraints name, from `calendars/` beside their files. */
export class Calendars {
  readonly #parse: CalendarParser
  readonly #trust: PathTrust | undefined
  /** Each file is read once. */
  readonly #found = new Map<string, Parsed<NamedCalendar>>()
  readonly #schedules = new Map<string, Map<Schedule, Parsed<Schedule>>>()

  /** With `trust`, files that others could change are refused. */
  constructor(parse: CalendarParser, trust?: PathTrust) {
    this.#parse = parse
    this.#trust = trust
  }

  /** The entry with its calendars from `directory`, or from beside its job file; the same entry if it names none. */
  entry(entry: Entry, directory?: string): Parsed<Entry> {
    if (calendarsOf(entry.schedule).length === 0) return parsed(entry)
    const schedule = this.#scheduleOf(entry.schedule, directory ?? dirname(entry.path))
    return schedule.ok ? parsed(entry.withSchedule(schedule.value)) : schedule
  }

  #scheduleOf(schedule: Schedule, directory: string): Parsed<Schedule> {
    const known = this.#schedules.get(directory) ?? new Map<Schedule, Parsed<Schedule>>()
    this.#schedules.set(directory, known)
    const found = known.get(schedule) ?? withCalendars(schedule, name => this.find(directory, name))
    known.set(schedule, found)
    return found
  }

  /** The calendar of this name beside the job files of a directory. */
  find(directory: string, name: string): Parsed<NamedCalendar> {
    const base = join(calendarDirectory(directory), name)
    const known = this.#found.get(base)
    if (known !== undefined) return known
    const found = this.#read(base, name)
    this.#found.set(base, found)
    return found
  }

  #read(base: string, name: string): Parsed<NamedCalendar> {
    const kinds = (['ics', 'dates'] as const).filter(kind => existsSync(`${base}.${kind}`))
    const [kind] = kinds
    if (kind === undefined)
      return unusable(`there is no calendar ${quote(name)}`, `write ${base}.ics or ${base}.dates`)
    if (kinds.length > 1)
      return unusable(`the calendar ${quote(name)} is there twice`, `remove ${base}.ics or ${base}.dates`)
    return this.file(`${base}.${kind}`)
  }

  /** The calendar in a file `NAME.ics` or `NAME.dates`, wherever it lies. */
  file(path: string): Parsed<NamedCalendar> {
    const ending = extname(path)
    const name = basename(path, ending)
    const kind = ending === '.ics' ? 'ics' : 'dates'
    const read = readJobFile(path, { anyBytes: true })
    if (!read.ok) return unusable(`${path}: ${read.fault.message}`, 'name a text file')
    const unsafe = this.#trust?.problemsOf(path, read)[0]
    if (unsafe !== undefined) return unusable(`${path}: ${unsafe.message}`, unsafe.hint)
    if (read.text.length > LARGEST)
      return unusable(`${path} is larger than 10 MB`, 'leave out events of the past')
    const digest = createHash('sha256').update(read.text).digest('hex')
    const ranges = this.#parse(read.text, kind)
    if (ranges.ok) return parsed({ name, digest, ranges: ranges.value })
    const { message, hint = '' } = ranges.faults[0]!
    return unusable(`${path}: ${message}`, hint)
  }
}
