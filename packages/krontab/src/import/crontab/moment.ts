import { type CronField, parseCronField } from '@kron/core'
import { type Field, listOf, readField } from '@kron/host'

/** The times of a crontab line, in Kron's syntax. */
export interface Moment {
  readonly cron: string
  /** The five fields in a form that every reader of crontabs understands. */
  readonly fields: readonly string[]
  readonly only: readonly string[]
  /** Seconds of window that cronie's random fields ask for. */
  readonly spread: number
  /** The latest minute of a day that can be its nominal time. */
  readonly lastMinute: number
  readonly changed: readonly string[]
}

const NAMES: readonly CronField[] = ['minute', 'hour', 'day', 'month', 'weekday']

/** Reads the five fields of a line, or returns the reason why they cannot be converted. */
export function readMoment(texts: readonly string[]): Moment | string {
  const fields: Field[] = []
  for (const [i, name] of NAMES.entries()) {
    const field = readField(texts[i]!, name)
    if (typeof field === 'string') return field
    if (field.values.length === 0) return `the range in ${texts[i]} runs backwards, so cron never starts it`
    fields.push(field)
  }
  const [minute, hour, day, month, weekday] = fields as [Field, Field, Field, Field, Field]
  const changed: string[] = []
  const spread = spreadOf(minute, hour)
  if (typeof spread === 'string') return spread
  if (minute.spread + hour.spread > 0) {
    changed.push(
      'cronie draws the random time once, when it loads the file; Kron draws a second of the window for every period',
    )
  }
  const [dayText, weekdayText, only] = dayRule(day, weekday)
  if (only.length > 0) {
    changed.push(
      `cron runs this when both day fields match, because one begins with *; Kron would take either, so @only(${only[0]}) holds the rest back (those days are recorded as unschedulable)`,
    )
  }
  return {
    fields: fields.map(({ text }, i) => (isCommon(texts[i]!, NAMES[i]!) ? texts[i]! : text)),
    cron: `${minute.text} ${hour.text} ${dayText} ${month.text} ${weekdayText}`,
    only,
    spread,
    lastMinute: hour.values.at(-1)! * 60 + minute.values.at(-1)!,
    changed,
  }
}

/** Cron also accepts fields such as `*x`, which only it understands. */
const isCommon = (text: string, name: CronField): boolean =>
  /[~*],|,\*|~/.test(text) || parseCronField(text, name, 'kron').ok

function spreadOf(minute: Field, hour: Field): number | string {
  if (hour.spread === 0) return minute.spread * 60
  if (minute.values.length > 1) return 'a random hour with several minutes cannot be expressed as a window'
  return (hour.spread * 60 + minute.spread) * 60
}

/** Vixie: if either day field begins with `*`, both must match; otherwise one is enough. */
function dayRule(day: Field, weekday: Field): [day: string, weekday: string, only: readonly string[]] {
  const both = day.text !== '*' && weekday.text !== '*'
  if (!both || (!day.star && !weekday.star)) return [day.text, weekday.text, []]
  // The field that does not begin with a star names the days; the other one excludes some of them.
  if (day.star) return ['*', weekday.text, [`dom=${listOf(day.values)}`]]
  return [day.text, '*', [`dow=${listOf(weekday.values)}`]]
}
