import { dateOf, nextDay, WallClock } from '@kron/core'

const NAMES = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const WEEK = 'sun mon tue wed thu fri sat'.split(' ')
const LIMITS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const

/** Whether a field of a CronJob's schedule matches a value. `n/s` runs from n to the end, and `?` is `*`. */
function holds(field: string, index: number, value: number): boolean {
  const [low, high] = LIMITS[index]!
  const number = (word: string): number => {
    const name = word.toLowerCase()
    if (index === 3 && NAMES.includes(name)) return NAMES.indexOf(name) + 1
    return index === 4 && WEEK.includes(name) ? WEEK.indexOf(name) : Number(word)
  }
  return field.split(',').some(element => {
    const [range = '', step] = element.split('/')
    const [a = '', b] = range.split('-')
    const star = a === '*' || a === '?'
    const from = star ? low : number(a)
    const to = star ? high : b !== undefined ? number(b) : step !== undefined ? high : from
    return value >= from && value <= to && (value - from) % Number(step ?? 1) === 0
  })
}

const isStar = (field: string): boolean => /^[*?](?:\/1)?$/.test(field)

/** The starts of a CronJob: every minute whose local time matches, both times if the clock shows it twice. */
export function* cronJobStarts(
  fields: readonly string[],
  zone: string,
  after: number,
  until: number,
): Generator<number, void, void> {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  const dayHolds = (local: number): boolean => {
    const date = dateOf(local)
    if (!holds(month, 3, date.month)) return false
    const [byDay, byWeekday] = [holds(day, 2, date.day), holds(weekday, 4, date.weekday)]
    return isStar(day) || isStar(weekday) ? byDay && byWeekday : byDay || byWeekday
  }
  const clock = WallClock.of(zone)
  for (let at = Math.floor(after / 60) + 1; at * 60 <= until; at++) {
    const local = clock.at(at)
    const ofDay = ((local % 1440) + 1440) % 1440
    if (!dayHolds(local)) at = nextDay(clock, at) - 1
    else if (holds(hour, 1, Math.floor(ofDay / 60)) && holds(minute, 0, ofDay % 60)) yield at * 60
  }
}
