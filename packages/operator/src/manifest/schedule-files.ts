import { createHash } from 'node:crypto'
import { parseCalendar } from '@kron/calendar'
import {
  type Curve,
  calendarsOf,
  type NamedCalendar,
  type Parsed,
  parseCurve,
  parsed,
  quote,
  type Schedule,
  unusable,
  weightsOf,
  withCalendars,
  withCurve,
} from '@kron/core'
import type { KronJob, Metadata } from './kronjob.ts'
import type { FieldFault, ParsedSpec } from './parse.ts'

/** The one ConfigMap of a namespace from which its KronJobs take calendars and weights. */
export const FILES_NAME = 'kron-files'

export interface ConfigMap {
  readonly metadata: Metadata
  readonly data?: Readonly<Record<string, string>>
}

/** Whether a KronJob names a calendar or weights. */
export const namesFiles = ({ spec }: KronJob): boolean =>
  spec.distribution?.name === 'weights' ||
  [...(spec.constraints?.only ?? []), ...(spec.constraints?.avoid ?? [])].some(item => 'cal' in item)

/** Whether a schedule needs files at all. */
export const needsFiles = (schedule: Schedule): boolean =>
  calendarsOf(schedule).length > 0 || weightsOf(schedule) !== undefined

/** The SHA-256 of the weights file; undefined if there is none. */
export const weightsDigestOf = (schedule: Schedule): string | undefined =>
  weightsOf(schedule)?.curve?.digest || undefined

/** The calendars (`NAME.ics`, `NAME.dates`) and weights (`NAME.csv`) of a namespace. Each is parsed once, when a schedule names it. */
export class ScheduleFiles {
  readonly #data: Readonly<Record<string, string>>
  readonly #calendars = new Map<string, Parsed<NamedCalendar>>()
  readonly #curves = new Map<string, Curve>()

  constructor(data: Readonly<Record<string, string>> = {}) {
    this.#data = data
  }

  /** The schedule with its calendars and weights. A missing calendar is a fault, missing weights are not. */
  complete(schedule: Schedule): ParsedSpec {
    const found = withCalendars(schedule, name => this.#calendar(name))
    if (found.ok) return { ok: true, schedule: withCurve(found.value, file => this.#curve(file)) }
    const faults = found.faults.map((fault): FieldFault => ({ path: 'spec.constraints', fault }))
    return { ok: false, faults }
  }

  #calendar(name: string): Parsed<NamedCalendar> {
    const known = this.#calendars.get(name) ?? this.#readCalendar(name)
    this.#calendars.set(name, known)
    return known
  }

  #readCalendar(name: string): Parsed<NamedCalendar> {
    const kinds = (['ics', 'dates'] as const).filter(kind => this.#text(`${name}.${kind}`) !== undefined)
    const [kind] = kinds
    const keys = `${name}.ics or ${name}.dates`
    if (kind === undefined)
      return unusable(`there is no calendar ${quote(name)}`, `put ${keys} into the ConfigMap ${FILES_NAME}`)
    if (kinds.length > 1)
      return unusable(`the calendar ${quote(name)} is there twice`, `remove ${keys} from ${FILES_NAME}`)
    const text = this.#text(`${name}.${kind}`)!
    const ranges = parseCalendar(text, kind)
    if (ranges.ok) return parsed({ name, digest: digestOf(text), ranges: ranges.value })
    const { message, hint = '' } = ranges.faults[0]!
    return unusable(`${name}.${kind} in the ConfigMap ${FILES_NAME}: ${message}`, hint)
  }

  #curve(file: string): Curve {
    const known = this.#curves.get(file) ?? this.#readCurve(this.#text(`${file}.csv`))
    this.#curves.set(file, known)
    return known
  }

  #readCurve(text: string | undefined): Curve {
    if (text === undefined) return { digest: '', steps: 'missing' }
    const steps = parseCurve(text)
    return { digest: digestOf(text), steps: steps.ok ? steps.value : 'unreadable' }
  }

  #text(key: string): string | undefined {
    return Object.hasOwn(this.#data, key) ? this.#data[key] : undefined
  }
}

export const NO_FILES = new ScheduleFiles()

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
