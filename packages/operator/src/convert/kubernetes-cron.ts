import { CRON_MACROS, type Cron, parseCron, printCron } from '@kron/core'

/** The schedule of a CronJob in Kron's syntax. */
export type ReadCron =
  | { readonly ok: true; readonly text: string; readonly zone?: string; readonly remark?: string }
  | { readonly ok: false; readonly message: string }

interface Field {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of week', min: 0, max: 6, names: WEEKDAYS },
]

/**
 * Reads a schedule as Kubernetes does (robfig/cron) and writes it so that Kron starts at the same minutes. The text
 * stays unchanged where both agree. They differ in `?`, in `n/s`, and in a star with `/1` or beside other values in a
 * day field. Kubernetes treats the latter as a star, which decides whether the two day fields are combined with "and"
 * or "or".
 */
export function readKubernetesCron(schedule: string): ReadCron {
  const zone = /^\s*(?:CRON_)?TZ=(\S+)\s+/.exec(schedule)
  const text = schedule.slice(zone?.[0].length ?? 0).trim()
  const inZone = zone === null ? {} : { zone: zone[1]! }
  if (text.startsWith('@')) {
    if (CRON_MACROS.has(text)) return { ok: true, text, ...inZone }
    const message = text.startsWith('@every')
      ? `${text} counts from the start of the controller, which no schedule of Kron does; write it as cron fields`
      : `${JSON.stringify(text)} is no schedule that Kubernetes knows`
    return { ok: false, message }
  }
  const fields = text.split(/\s+/)
  if (fields.length !== FIELDS.length) {
    return {
      ok: false,
      message: `expected five cron fields, found ${fields.length} in ${JSON.stringify(text)}`,
    }
  }
  const sets: FieldSet[] = []
  for (const [i, field] of fields.entries()) {
    const set = readField(field, FIELDS[i]!)
    if (typeof set === 'string') return { ok: false, message: set }
    sets.push(set)
  }
  const meant = cronOf(sets as [FieldSet, FieldSet, FieldSet, FieldSet, FieldSet])
  const asItIs = parseCron(text, 'kron')
  if (asItIs.ok && sameCron(asItIs.value, meant)) return { ok: true, text, ...inZone }
  const printed = printCron(meant)
  const again = parseCron(printed, 'kron')
  if (!again.ok) return { ok: false, message: `${text} has no period: ${again.faults[0]!.message}` }
  if (!sameCron(again.value, meant))
    return { ok: false, message: `${text} cannot be written in Kron's dialect` }
  return { ok: true, text: printed, ...inZone, remark: `schedule ${text} is written ${printed}` }
}

interface FieldSet {
  readonly values: ReadonlySet<number>
  /** Whether Kubernetes treats the field as `*`. */
  readonly star: boolean
}

function readField(text: string, field: Field): FieldSet | string {
  const values = new Set<number>()
  let star = false
  for (const part of text.split(',').filter(each => each !== '')) {
    const range = readRange(part, field)
    if (typeof range === 'string') return range
    for (let value = range.from; value <= range.to; value += range.step) values.add(value)
    star ||= range.star
  }
  return values.size === 0 ? `the ${field.name} field ${JSON.stringify(text)} is empty` : { values, star }
}

interface Range {
  readonly from: number
  readonly to: number
  readonly step: number
  readonly star: boolean
}

function readRange(part: string, field: Field): Range | string {
  const wrong = (): string => `${JSON.stringify(part)} is no ${field.name} that Kubernetes knows`
  const [span, stepText, ...moreSteps] = part.split('/') as [string, string?, ...string[]]
  const [low, high, ...moreEnds] = span.split('-') as [string, string?, ...string[]]
  const isStar = low === '*' || low === '?'
  const step = stepText === undefined ? 1 : numberOf(stepText)
  if (moreSteps.length > 0 || step === undefined || step === 0) return wrong()
  if (isStar) return { from: field.min, to: field.max, step, star: step === 1 }
  const from = fieldValue(low, field)
  const end = high === undefined ? from : fieldValue(high, field)
  if (moreEnds.length > 0 || from === undefined || end === undefined) return wrong()
  // `5/15` runs from 5 to the end.
  const to = high === undefined && stepText !== undefined ? field.max : end
  return from < field.min || to > field.max || from > to ? wrong() : { from, to, step, star: false }
}

const numberOf = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined)

function fieldValue(text: string, { names, min }: Field): number | undefined {
  const named = names.indexOf(text.toLowerCase())
  return named === -1 ? numberOf(text) : named + min
}

function cronOf([minutes, hours, days, months, weekdays]: [
  FieldSet,
  FieldSet,
  FieldSet,
  FieldSet,
  FieldSet,
]): Cron {
  const bits = ({ values }: FieldSet, from: number, to: number): number => {
    let set = 0
    for (const value of values) if (value >= from && value <= to) set |= 1 << (value - from)
    return set
  }
  return {
    minutesLow: bits(minutes, 0, 29),
    minutesHigh: bits(minutes, 30, 59),
    hours: bits(hours, 0, 23),
    days: bits(days, 1, 31),
    months: bits(months, 1, 12),
    weekdays: bits(weekdays, 0, 6),
    dayRestricted: !days.star,
    weekdayRestricted: !weekdays.star,
  }
}

const sameCron = (one: Cron, other: Cron): boolean =>
  (Object.keys(one) as (keyof Cron)[]).every(key => one[key] === other[key])
