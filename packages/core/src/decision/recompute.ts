import { type CalendarFinder, type NamedCalendar, withCalendars } from '../constraint/named-calendar.ts'
import type { Curve } from '../distribution/curve.ts'
import { weightsOf, withCurve } from '../distribution/weights-file.ts'
import { type Fault, faulty, type Parsed, parsed, quote, unusable } from '../error/fault.ts'
import { parseWholeSchedule } from '../schedule/parse.ts'
import type { Hash } from '../seed/sha256.ts'
import { parseInstant } from '../time/instant.ts'
import { findZone, type ZoneFinder } from '../zone/find.ts'
import {
  type Decision,
  type DecisionRecord,
  decide,
  isWithinTime,
  outsideTime,
  recordOf,
} from './decision.ts'

/**
 * The decision that a record must have come from, made again from what the record says alone. A record does
 * not hold the cron expression, which decides no second within a window: the result's own means nothing.
 */
export function recompute(
  record: DecisionRecord,
  hash?: Hash,
  find: ZoneFinder = findZone,
  findCalendar?: CalendarFinder,
  findCurve?: (file: string) => Curve,
): Parsed<Decision> {
  const faults: Fault[] = []
  const read = (text: string): number => {
    const instant = parseInstant(text)
    if (instant.ok) return instant.value
    faults.push(...instant.faults)
    return 0
  }
  const nominal = read(record.nominalTime)
  const seconds = read(record.windowEnd) - read(record.windowStart)
  if (!isWithinTime(nominal))
    faults.push({ category: 'ValidationError', message: outsideTime(nominal), at: 0, length: 0 })
  if (faults.length > 0) return faulty(faults)
  const schedule = parseWholeSchedule(scheduleText(record, seconds), undefined, find)
  if (!schedule.ok) return schedule
  const complete = withCalendars(schedule.value, name => calendarOf(record, name, findCalendar))
  if (!complete.ok) return complete
  const weights = weightsOf(complete.value)
  const curve = weights && curveOf(record, weights.file, findCurve)
  if (curve?.ok === false) return curve
  const whole = curve === undefined ? complete.value : withCurve(complete.value, () => curve.value)
  return parsed(decide({ identity: record.identity, schedule: whole }, nominal, hash))
}

/** The curve that the decision was made with, and no other. */
function curveOf(
  record: DecisionRecord,
  file: string,
  find: ((file: string) => Curve) | undefined,
): Parsed<Curve> {
  const { weightsDigest: digest = '', weightsFallback: fallback } = record
  // Without a curve there is nothing to find: the window was spread evenly.
  if (fallback === 'missing' || fallback === 'unreadable') return parsed({ digest, steps: fallback })
  const found = find?.(file)
  if (found !== undefined && found.digest === digest) return parsed(found)
  return notAtHand(`the weights ${quote(file)} are`)
}

/** The calendar that the decision was made with, and no other. */
function calendarOf(
  record: DecisionRecord,
  name: string,
  find: CalendarFinder | undefined,
): Parsed<NamedCalendar> {
  const found = find?.(name)
  if (found?.ok === false) return found
  if (found !== undefined && found.value.digest === record.calendars?.[name]) return found
  return notAtHand(`the calendar ${quote(name)} is`)
}

function notAtHand(what: string): Parsed<never> {
  const message = `${what} not at hand as when this was decided`
  const hint = 'find the version with the digest that the decision records'
  return unusable(message, hint)
}

/** The record's words as a schedule, so that they are read by the one parser. */
function scheduleText(record: DecisionRecord, seconds: number): string {
  const { timezone, mode, distribution, params, seedStrategy, salt, constraints } = record
  const given = Object.entries(params)
    .filter(([, value]) => value !== WINDOW_SIXTH)
    .map(([key, value]) => `,${key}=${value}`)
  const quotedSalt = `"${salt.replace(/["\\]/g, '\\$&')}"`
  return [
    RARE,
    `@tz(${timezone})`,
    `@win(${mode},${seconds}s)`,
    `@dist(${distribution}${given.join('')})`,
    `@seed(${seedStrategy},salt=${quotedSalt})`,
    constraints,
  ]
    .join(' ')
    .trimEnd()
}

/** How a record writes the default `sigma`. */
const WINDOW_SIXTH = 'window/6'

/** So rare that no window can be too long for it. */
const RARE = '0 0 1 1 *'

export interface Difference {
  readonly field: keyof DecisionRecord
  readonly recorded: unknown
  readonly recomputed: unknown
}

/**
 * Where a record differs from the decision it must have come from. Other zone data alone is no difference; beside one
 * it comes last, because it may explain it.
 */
export function differences(record: DecisionRecord, decision: Decision): Difference[] {
  const again = recordOf(decision)
  const differs = (field: keyof DecisionRecord): boolean =>
    JSON.stringify(record[field]) !== JSON.stringify(again[field])
  const fields = (Object.keys(again) as (keyof DecisionRecord)[]).filter(
    field => field !== 'zoneData' && differs(field),
  )
  if (fields.length > 0 && record.zoneData !== undefined && differs('zoneData')) fields.push('zoneData')
  return fields.map(field => ({ field, recorded: record[field], recomputed: again[field] }))
}
