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
import { localTimeZone } from '../clock/system-clock.ts'
import { CronCalculationError, FieldParseError, InvalidCronExpressionError } from '../error/cron-error.ts'
import { OptionError } from '../error/option-error.ts'
import { typeName } from '../error/type-name.ts'
import { isoTime } from '../iso-time.ts'

const FIELDS: readonly CronField[] = ['minute', 'hour', 'day', 'month', 'weekday']

/** A parsed POSIX cron expression, with its text. */
export interface CronExpression extends Cron {
  readonly expression: string
}

/** Reads a POSIX cron expression of five fields. */
export function parseCron(expression: string): CronExpression {
  if (typeof expression !== 'string')
    throw invalid(String(expression), 'expression', `must be a string, got ${typeName(expression)}`)
  const parsed = parse(expression, 'posix')
  if (parsed.ok) return { ...parsed.value, expression }
  const fault = parsed.faults[0]!
  const field = fault.field ?? 'expression'
  const reason = fault.reason ?? fault.message
  throw invalid(expression, field, reason, expression.slice(fault.at, fault.at + fault.length))
}

const invalid = (expression: string, field: string, reason: string, value = expression) =>
  new InvalidCronExpressionError({ expression, field, reason }, new FieldParseError(field, value, reason))

/** Reads one field of a POSIX cron expression and returns its values in ascending order. */
export function parseCronField(text: string, field: CronField): readonly number[] {
  if (!FIELDS.includes(field))
    throw new OptionError('parseCronField', 'field', field, `must be one of ${FIELDS.join(', ')}`)
  if (typeof text !== 'string')
    throw new FieldParseError(field, String(text), `must be a string, got ${typeName(text)}`)
  const parsed = parseField(text, field, 'posix')
  if (parsed.ok) return parsed.value
  const fault = parsed.faults[0]!
  throw new FieldParseError(field, text, fault.reason ?? fault.message)
}

/** Whether the minute that contains the instant (epoch milliseconds) matches. */
export function cronMatches(cron: CronExpression, at: number, timeZone = localTimeZone()): boolean {
  check('cronMatches', cron, 'at', at)
  return matches(cron, zoneOf(timeZone), Math.floor(at / 1000))
}

/** The first occurrence after an instant, both in epoch milliseconds. */
export function cronNext(cron: CronExpression, after: number, timeZone = localTimeZone()): number {
  check('cronNext', cron, 'after', after)
  const found = next(cron, zoneOf(timeZone), Math.floor(after / 1000))
  return found === undefined ? fail(cron, after, 'no occurrence after it') : found * 1000
}

/** The last occurrence up to and including an instant, both in epoch milliseconds. */
export function cronPrev(cron: CronExpression, at: number, timeZone = localTimeZone()): number {
  check('cronPrev', cron, 'at', at)
  const found = prev(cron, zoneOf(timeZone), Math.floor(at / 1000))
  return found === undefined ? fail(cron, at, 'no occurrence up to it') : found * 1000
}

/** Checks the arguments of callers that do not use TypeScript. */
function check(of: string, cron: unknown, option: string, at: unknown): void {
  if (typeof (cron as CronExpression | null)?.expression !== 'string')
    throw new OptionError(of, 'cron', cron, 'must be what parseCron returns')
  if (typeof at !== 'number' || !Number.isFinite(at))
    throw new OptionError(of, option, at, 'must be epoch milliseconds')
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
