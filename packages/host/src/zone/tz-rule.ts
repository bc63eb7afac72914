import { daysFromCivil } from '@kron/core'
import { TzifError } from './tzif.ts'

/** A POSIX TZ string, with the extensions of RFC 8536: one permanent offset, or two that alternate each year. */
export interface TzRule {
  /** Seconds east of UTC. */
  readonly standard: number
  readonly daylight?: {
    readonly offset: number
    readonly begins: YearlyMoment
    readonly ends: YearlyMoment
  }
}

/** A day of each year and the time on that day, in seconds, by the clock in force before the change. */
export interface YearlyMoment {
  readonly day:
    | { readonly kind: 'julian'; readonly day: number }
    | { readonly kind: 'zeroBased'; readonly day: number }
    | { readonly kind: 'weekday'; readonly month: number; readonly week: number; readonly weekday: number }
  readonly time: number
}

const NAME = '(?:<[A-Za-z0-9+-]{3,}>|[A-Za-z]{3,})'
const CLOCK = '([+-]?)(\\d{1,3})(?::(\\d{1,2})(?::(\\d{1,2}))?)?'
const DAY = '(?:J(\\d{1,3})|(\\d{1,3})|M(\\d{1,2})\\.(\\d)\\.(\\d))'
const HEAD = new RegExp(`^${NAME}${CLOCK}`)
const DAYLIGHT = new RegExp(`^${NAME}(?:${CLOCK})?,`)
const MOMENT = new RegExp(`^${DAY}(?:/${CLOCK})?(?:,|$)`)

/** RFC 8536 lets a rule's time lie up to a week before or after its day. */
const MOST_RULE_HOURS = 167
const MOST_OFFSET_HOURS = 23

export function parseTzRule(text: string): TzRule {
  const refuse = (): never => {
    throw new TzifError(`its footer ${JSON.stringify(text)} is no rule`)
  }
  let rest = text
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const found = pattern.exec(rest)
    if (found !== null) rest = rest.slice(found[0].length)
    return found ?? undefined
  }
  const head = take(HEAD) ?? refuse()
  const standard = -(seconds(head, 1, MOST_OFFSET_HOURS) ?? refuse())
  if (rest === '') return { standard }
  const daylight = take(DAYLIGHT) ?? refuse()
  const offset =
    daylight[2] === undefined ? standard + 3600 : -(seconds(daylight, 1, MOST_OFFSET_HOURS) ?? refuse())
  // An hour ahead of the greatest standard offsets is a day or more.
  if (Math.abs(offset) >= 86_400) refuse()
  const moment = (last: boolean): YearlyMoment => {
    const found = take(MOMENT) ?? refuse()
    if (found[0].endsWith(',') === last) return refuse()
    const time = found[7] === undefined ? 7200 : (seconds(found, 6, MOST_RULE_HOURS) ?? refuse())
    return { day: dayOf(found) ?? refuse(), time }
  }
  const begins = moment(false)
  const ends = moment(true)
  if (rest !== '') refuse()
  return { standard, daylight: { offset, begins, ends } }
}

/** Sign, hours, minutes and seconds from four groups; undefined if one is out of range. */
function seconds(found: RegExpExecArray, at: number, mostHours: number): number | undefined {
  const [sign, hours, minutes, rest] = [found[at], found[at + 1], found[at + 2] ?? 0, found[at + 3] ?? 0]
  if (Number(hours) > mostHours || Number(minutes) > 59 || Number(rest) > 59) return undefined
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest)
  return sign === '-' ? -size : size
}

function dayOf([, julian, zeroBased, month, week, weekday]: RegExpExecArray):
  | YearlyMoment['day']
  | undefined {
  const within = (value: number, least: number, most: number): boolean => value >= least && value <= most
  if (julian !== undefined)
    return within(Number(julian), 1, 365) ? { kind: 'julian', day: Number(julian) } : undefined
  if (zeroBased !== undefined)
    return within(Number(zeroBased), 0, 365) ? { kind: 'zeroBased', day: Number(zeroBased) } : undefined
  const day = { kind: 'weekday', month: Number(month), week: Number(week), weekday: Number(weekday) } as const
  return within(day.month, 1, 12) && within(day.week, 1, 5) && within(day.weekday, 0, 6) ? day : undefined
}

/** An offset that a rule puts in force at some instant. */
export interface RuleChange {
  readonly at: number
  readonly offset: number
}

/** The two changes of a year, in order of time; at one instant the end of daylight saving comes first. */
export function changesIn(year: number, { standard, daylight }: TzRule): readonly RuleChange[] {
  if (daylight === undefined) return []
  const { offset, begins, ends } = daylight
  const begin = { at: dayIn(year, begins.day) * 86_400 + begins.time - standard, offset }
  const end = { at: dayIn(year, ends.day) * 86_400 + ends.time - offset, offset: standard }
  return begin.at < end.at ? [begin, end] : [end, begin]
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** The day since 1970-01-01. */
function dayIn(year: number, day: YearlyMoment['day']): number {
  const newYear = daysFromCivil(year, 1, 1)
  switch (day.kind) {
    case 'zeroBased':
      return newYear + day.day
    case 'julian':
      // 29 February is never counted.
      return newYear + day.day - 1 + (day.day >= 60 && isLeap(year) ? 1 : 0)
    case 'weekday': {
      const first = daysFromCivil(year, day.month, 1)
      const next = day.month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, day.month + 1, 1)
      // 1970-01-01 was a Thursday.
      const firstWeekday = (((first + 4) % 7) + 7) % 7
      const found = first + ((day.weekday - firstWeekday + 7) % 7) + 7 * (day.week - 1)
      return found < next ? found : found - 7
    }
  }
}
