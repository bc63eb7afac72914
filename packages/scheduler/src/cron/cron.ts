import {
  type Cron,
  type CronField,
  findZone,
  matches,
  next,
  parseCron as parse,
  parseCronField as parseField,
  prev,
  type Zone,
} from '@kron/core'
import { CronCalculationError, FieldParseError, InvalidCronExpressionError } from '../error/cron-error.ts'
import { isoTime } from '../iso-time.ts'
import { localTimeZone } from '../system-clock.ts'

/** A parsed POSIX cron expression, with its text. */
export interface CronExpression extends Cron {
  readonly expression: string
}

/** Reads a POSIX cron expression of five fields. */
export function parseCron(expression: string): CronExpression {
  const parsed = parse(expression, 'posix')
  if (parsed.ok) return { ...parsed.value, expression }
  const fault = parsed.faults[0]!
  const field = fault.field ?? 'expression'
  const reason = fault.reason ?? fault.message
  const value = expression.slice(fault.at, fault.at + fault.length)
  throw new InvalidCronExpressionError(
    { expression, field, reason },
    new FieldParseError(field, value, reason),
  )
}

/** Reads one field of a POSIX cron expression into its values, in rising order. */
export function parseCronField(text: string, field: CronField): readonly number[] {
  const parsed = parseField(text, field, 'posix')
  if (parsed.ok) return parsed.value
  const fault = parsed.faults[0]!
  throw new FieldParseError(field, text, fault.reason ?? fault.message)
}

/** Whether the minute that holds an instant (epoch milliseconds) matches. */
export function cronMatches(cron: CronExpression, at: number, timeZone = localTimeZone()): boolean {
  return matches(cron, zoneOf(timeZone), Math.floor(at / 1000))
}

/** The first occurrence after an instant, both in epoch milliseconds. */
export function cronNext(cron: CronExpression, after: number, timeZone = localTimeZone()): number {
  const found = next(cron, zoneOf(timeZone), Math.floor(after / 1000))
  return found === undefined ? fail(cron, after, 'no occurrence after it') : found * 1000
}

/** The last occurrence up to and including an instant, both in epoch milliseconds. */
export function cronPrev(cron: CronExpression, at: number, timeZone = localTimeZone()): number {
  const found = prev(cron, zoneOf(timeZone), Math.floor(at / 1000))
  return found === undefined ? fail(cron, at, 'no occurrence up to it') : found * 1000
}

function fail({ expression }: CronExpression, at: number, problem: string): never {
  const currentTime = isoTime(at)
  const cause = new RangeError(`"${expression}" has ${problem} (${currentTime}) between 1970 and 2200`)
  throw new CronCalculationError({ expression, currentTime, cause })
}

export function zoneOf(timeZone: string): Zone {
  const zone = findZone(timeZone)
  if (zone === undefined) throw new RangeError(`${JSON.stringify(timeZone)} is not an IANA time zone`)
  return zone
}
