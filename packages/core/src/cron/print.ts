import {
  ALL_DAYS,
  ALL_HOURS,
  ALL_MONTHS,
  ALL_WEEKDAYS,
  type Cron,
  type Dialect,
  HALF,
  HALF_HOUR,
  has,
} from './cron.ts'
import { DAY, type FieldRule, HOUR, MINUTE, MONTH, WEEKDAY } from './field.ts'

/** The canonical text of an expression: parsing it in the same dialect gives the same expression. */
export function printCron(cron: Cron, dialect: Dialect = 'kron'): string {
  if (cron.reboot) return '@reboot'
  const everyMinute = cron.minutesLow === HALF_HOUR && cron.minutesHigh === HALF_HOUR
  return [
    everyMinute ? '*' : printValues(minutesOf(cron), MINUTE, dialect),
    cron.hours === ALL_HOURS ? '*' : printValues(valuesOf(cron.hours, HOUR), HOUR, dialect),
    isEveryDay(cron) ? '*' : printValues(valuesOf(cron.days, DAY), DAY, dialect),
    cron.months === ALL_MONTHS ? '*' : printValues(valuesOf(cron.months, MONTH), MONTH, dialect),
    isEveryWeekday(cron) ? '*' : printValues(valuesOf(cron.weekdays, WEEKDAY), WEEKDAY, dialect),
  ].join(' ')
}

/** Vixie's day rule takes a field such as `*\/2` for a star, which still names some days only. */
const isEveryDay = (cron: Cron): boolean => !cron.dayRestricted && cron.days === ALL_DAYS
const isEveryWeekday = (cron: Cron): boolean => !cron.weekdayRestricted && cron.weekdays === ALL_WEEKDAYS

/** Values in rising order as a field's text, as a step where all of them make one. */
export function printValues(values: readonly number[], rule: FieldRule, dialect: Dialect): string {
  return (dialect === 'kron' && printStep(values, rule)) || runsOf(values).map(printRun).join(',')
}

/** The numbers of a set of bits. */
export const valuesOf = (bits: number, { min, max }: Pick<FieldRule, 'min' | 'max'>): number[] => {
  const values: number[] = []
  for (let value = min; value <= max; value++) if (has(bits, value - min)) values.push(value)
  return values
}

const minutesOf = (cron: Cron): number[] => [
  ...valuesOf(cron.minutesLow, { min: 0, max: HALF - 1 }),
  ...valuesOf(cron.minutesHigh, { min: HALF, max: MINUTE.max }),
]

function printStep(values: readonly number[], { min, max }: FieldRule): string | undefined {
  const first = values[0]!
  const last = values.at(-1)!
  const step = (values[1] ?? first) - first
  if (step < 2 || values.some((value, index) => value !== first + index * step)) return undefined
  if (first === min && last + step > max) return `*/${step}`
  return values.length > 2 ? `${first}-${last}/${step}` : undefined
}

type Run = readonly [first: number, last: number]

function runsOf(values: readonly number[]): Run[] {
  const runs: Run[] = []
  for (const value of values) {
    const run = runs.at(-1)
    if (run && run[1] === value - 1) runs[runs.length - 1] = [run[0], value]
    else runs.push([value, value])
  }
  return runs
}

function printRun([first, last]: Run): string {
  if (first === last) return `${first}`
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`
}
