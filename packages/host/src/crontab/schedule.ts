import { AT_REBOOT, type Cron, type CronField } from '@kron/core'
import { type Field, readField } from './field.ts'
import type { CrontabLine } from './line.ts'

const NAMES: readonly CronField[] = ['minute', 'hour', 'day', 'month', 'weekday']
const HALF_HOUR = 30
const ALL_DAYS = 0x7fffffff
const ALL_WEEKDAYS = 0x7f

/** Cron accepts the line and never starts it. */
export const NEVER = Symbol('never')

/**
 * The times of a crontab line by Vixie's rules, or the reason why cron would refuse it.
 * `draw` chooses one of this many values for cronie's `a~b`: cronie draws when it loads the file.
 */
export function cronOf(line: CrontabLine, draw: (values: number) => number): Cron | typeof NEVER | string {
  if (line.isReboot) return AT_REBOOT
  const fields: Field[] = []
  for (const [i, name] of NAMES.entries()) {
    const field = readField(line.fields[i]!, name)
    if (typeof field === 'string') return field
    fields.push(
      field.spread === 0 ? field : { ...field, values: [field.values[0]! + draw(field.spread + 1)] },
    )
  }
  const [minute, hour, day, month, weekday] = fields as [Field, Field, Field, Field, Field]
  const noDay = day.values.length === 0
  const noWeekday = weekday.values.length === 0
  const needsBoth = day.star || weekday.star
  if ([minute, hour, month].some(({ values }) => values.length === 0)) return NEVER
  if (needsBoth ? noDay || noWeekday : noDay && noWeekday) return NEVER
  const isMacro = line.schedule.startsWith('@')
  const followsClock = hour.star || (minute.star && !isMacro)
  return {
    minutesLow: bitsOf(
      minute.values.filter(value => value < HALF_HOUR),
      0,
    ),
    minutesHigh: bitsOf(
      minute.values.filter(value => value >= HALF_HOUR),
      HALF_HOUR,
    ),
    hours: bitsOf(hour.values, 0),
    days: noDay ? ALL_DAYS : bitsOf(day.values, 1),
    months: bitsOf(month.values, 1),
    weekdays: noWeekday ? ALL_WEEKDAYS : bitsOf(weekday.values, 0),
    // A field that begins with a star never widens the other one.
    dayRestricted: !day.star && !noDay,
    weekdayRestricted: !weekday.star && !noWeekday,
    ...(followsClock ? {} : { fixedTime: true }),
  }
}

const bitsOf = (values: readonly number[], least: number): number =>
  values.reduce((bits, value) => bits | (1 << (value - least)), 0)
