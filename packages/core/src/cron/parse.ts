import { faulty, type Parsed, parsed } from '../error/fault.ts'
import { afterMacro, neverMatches, notMacro, tooFew, tooMany } from './complaint.ts'
import { type Cron, type Dialect, HALF, lowest } from './cron.ts'
import { type CronField, DAY, FIELDS, HOUR, MINUTE, MONTH, WEEKDAY } from './field.ts'
import { CRON_MACROS } from './macro.ts'
import { valuesOf } from './print.ts'
import { FieldReader } from './reader.ts'

const TAB = 9
const SPACE = 32
const AT_SIGN = 64

/** Reads a cron expression, or tells everything that is wrong with it. */
export function parseCron(text: string, dialect: Dialect): Parsed<Cron> {
  const spans = fieldSpans(text)
  if (spans.length > 0 && text.charCodeAt(spans[0]!) === AT_SIGN) return parseMacro(text, spans, dialect)
  const reader = new FieldReader(text, dialect)
  const fields = spans.length / 2
  if (fields < 5) {
    const end = spans.at(-1) ?? 0
    reader.complain('expression', tooFew(fields, text), end, end)
  } else if (fields > 5) reader.complain('expression', tooMany(fields), spans[10]!, spans.at(-1)!)
  else return readFields(reader, text, spans)
  return rejected(reader)
}

/** Reads one field of an expression into its values, in rising order. */
export function parseCronField(text: string, field: CronField, dialect: Dialect): Parsed<readonly number[]> {
  const rule = FIELDS.find(each => each.name === field)!
  const reader = new FieldReader(text, dialect)
  reader.read(rule, 0, text.length)
  if (reader.faults.length > 0) return rejected(reader)
  const { min, max } = rule
  const middle = min + HALF
  return parsed([
    ...valuesOf(reader.low, { min, max: Math.min(max, middle - 1) }),
    ...valuesOf(reader.high, { min: middle, max }),
  ])
}

function readFields(reader: FieldReader, text: string, spans: readonly number[]): Parsed<Cron> {
  reader.read(MINUTE, spans[0]!, spans[1]!)
  const minutesLow = reader.low
  const minutesHigh = reader.high
  reader.read(HOUR, spans[2]!, spans[3]!)
  const hours = reader.low
  const dayRestricted = reader.read(DAY, spans[4]!, spans[5]!)
  const days = reader.low | (reader.high << HALF)
  reader.read(MONTH, spans[6]!, spans[7]!)
  const months = reader.low
  const weekdayRestricted = reader.read(WEEKDAY, spans[8]!, spans[9]!)
  const weekdays = reader.low
  if (reader.faults.length === 0 && !weekdayRestricted) {
    const longest = longestMonth(months)
    if (lowest(days) >= longest) {
      reader.complain('day', neverMatches(text.slice(spans[4], spans[5]), longest), spans[4]!, spans[5]!)
    }
  }
  if (reader.faults.length > 0) return rejected(reader)
  return parsed({ minutesLow, minutesHigh, hours, days, months, weekdays, dayRestricted, weekdayRestricted })
}

const FEBRUARY = 0b10
const SHORT_MONTHS = 0b10100101010

function longestMonth(months: number): number {
  if (months === FEBRUARY) return 29
  return (months & ~SHORT_MONTHS) === 0 ? 30 : 31
}

function parseMacro(text: string, spans: readonly number[], dialect: Dialect): Parsed<Cron> {
  const [start, end, rest] = spans
  const name = text.slice(start, end)
  const expression = dialect === 'kron' ? CRON_MACROS.get(name) : undefined
  if (expression !== undefined && rest === undefined) return parseCron(expression, dialect)
  const reader = new FieldReader(text, dialect)
  if (expression === undefined) reader.complain('expression', notMacro(name, dialect), start!, end!)
  if (rest !== undefined) {
    const last = spans.at(-1)!
    reader.complain('expression', afterMacro(text.slice(rest, last)), rest, last)
  }
  return rejected(reader)
}

const rejected = (reader: FieldReader): Parsed<never> => faulty(reader.faults.toSorted((a, b) => a.at - b.at))

/** Where the fields start and end, in turn. */
function fieldSpans(text: string): number[] {
  const spans: number[] = []
  let inside = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const blank = code === SPACE || code === TAB
    if (blank === inside) {
      spans.push(at)
      inside = !inside
    }
  }
  if (inside) spans.push(text.length)
  return spans
}
