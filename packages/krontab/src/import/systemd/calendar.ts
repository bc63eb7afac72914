import { quote } from '@kron/core'
import { hostZones } from '@kron/host'

/** A calendar event expression of systemd, each component as its values; null means `*`. */
export interface Calendar {
  readonly weekdays: readonly number[] | null
  readonly years: readonly number[] | null
  readonly months: readonly number[] | null
  readonly days: readonly number[] | null
  readonly hours: readonly number[] | null
  readonly minutes: readonly number[] | null
  readonly seconds: readonly number[] | null
  readonly zone: string | undefined
}

const SHORTHANDS: Readonly<Record<string, string>> = {
  minutely: '*-*-* *:*:00',
  hourly: '*-*-* *:00:00',
  daily: '*-*-* 00:00:00',
  monthly: '*-*-01 00:00:00',
  weekly: 'Mon *-*-* 00:00:00',
  yearly: '*-01-01 00:00:00',
  annually: '*-01-01 00:00:00',
  quarterly: '*-01,04,07,10-01 00:00:00',
  semiannually: '*-01,07-01 00:00:00',
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const FULL = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** Thrown within this file only. */
class Unreadable extends Error {}

/** Reads an expression, or returns the reason why it cannot be converted. */
export function readCalendar(text: string): Calendar | string {
  try {
    return read(text)
  } catch (error) {
    if (error instanceof Unreadable) return error.message
    throw error
  }
}

function read(text: string): Calendar {
  const words = text.trim().split(/\s+/)
  const zone = words.length > 1 ? zoneOf(words.at(-1)!) : undefined
  if (zone !== undefined) words.pop()
  const shorthand = words.length === 1 ? SHORTHANDS[words[0]!.toLowerCase()] : undefined
  const rest = shorthand === undefined ? words : shorthand.split(' ')
  if (rest[0]?.startsWith('@')) throw new Unreadable('a single instant never comes again')
  const weekdays = /^[A-Za-z]/.test(rest[0] ?? '') ? readWeekdays(rest.shift()!) : null
  const date = rest[0] !== undefined && !rest[0].includes(':') ? rest.shift()! : '*-*-*'
  const time = rest.shift() ?? '00:00:00'
  if (rest.length > 0) throw new Unreadable(`${quote(rest[0]!)} is not part of a calendar expression`)
  return { weekdays, ...readDate(date), ...readTime(time), zone }
}

const zoneOf = (word: string): string | undefined =>
  /^[A-Za-z]+(?:[/_+-][\w+-]+)*$/.test(word) && hostZones().find(word) ? word : undefined

function readWeekdays(text: string): readonly number[] {
  const day = (word: string): number => {
    const name = word.toLowerCase()
    const index = Math.max(WEEKDAYS.indexOf(name), FULL.indexOf(name))
    if (index < 0) throw new Unreadable(`${quote(word)} is neither a weekday nor a shorthand`)
    return index
  }
  const days = new Set<number>()
  for (const element of text.split(',').filter(each => each !== '')) {
    const [first = '', end = first] = element.split(/\.\.|-/)
    for (let at = day(first); ; at = (at + 1) % 7) {
      days.add(at)
      if (at === day(end)) break
    }
  }
  return [...days].sort((a, b) => a - b)
}

function readDate(text: string): Pick<Calendar, 'years' | 'months' | 'days'> {
  if (text.includes('~')) throw new Unreadable('days counted from the end of a month have no counterpart')
  const parts = text.split('-')
  if (parts.length < 2 || parts.length > 3) throw new Unreadable(`${quote(text)} is not a date`)
  const [years, months, days] = parts.length === 3 ? parts : ['*', ...parts]
  return {
    years: values(years!, 1970, 2199),
    months: values(months!, 1, 12),
    days: values(days!, 1, 31),
  }
}

function readTime(text: string): Pick<Calendar, 'hours' | 'minutes' | 'seconds'> {
  const [hours, minutes, seconds = '00', ...more] = text.split(':')
  if (minutes === undefined || more.length > 0) throw new Unreadable(`${quote(text)} is not a time`)
  return {
    hours: values(hours!, 0, 23),
    minutes: values(minutes, 0, 59),
    seconds: values(seconds.replace(/\.0+$/, ''), 0, 59),
  }
}

const ELEMENT = /^(\d+)(?:\.\.(\d+))?(?:\/(\d+))?$/

function values(text: string, min: number, max: number): readonly number[] | null {
  if (text === '*') return null
  const found = new Set<number>()
  for (const element of text.split(',')) {
    const match = ELEMENT.exec(element)
    if (match === null) throw new Unreadable(`${quote(element)} cannot be read as numbers`)
    const from = yearOf(Number(match[1]), min)
    const step = Number(match[3] ?? 0)
    const to = match[2] === undefined ? (step > 0 ? max : from) : yearOf(Number(match[2]), min)
    if (from < min || to > max || to < from || match[3] === '0')
      throw new Unreadable(`${quote(element)} is outside ${min} to ${max}`)
    for (let value = from; value <= to; value += Math.max(1, step)) found.add(value)
  }
  return [...found].sort((a, b) => a - b)
}

/** Two digits mean 1970 to 2069. */
const yearOf = (value: number, min: number): number =>
  min !== 1970 || value >= 100 ? value : value + (value < 70 ? 2000 : 1900)
