import { dateOf, nextDay, WallClock } from '@kron/core'

const SHORTHANDS: Readonly<Record<string, string>> = {
  minutely: '*-*-* *:*',
  hourly: '*-*-* *:00',
  daily: '*-*-* 00:00',
  weekly: 'mon *-*-* 00:00',
  monthly: '*-*-1 00:00',
  quarterly: '*-1,4,7,10-1 00:00',
  semiannually: '*-1,7-1 00:00',
  yearly: '*-1-1 00:00',
  annually: '*-1-1 00:00',
}
const WEEK = 'sun mon tue wed thu fri sat'.split(' ')

/** Whether a component of the text matches a value, without building a set. */
function holds(component: string, value: number): boolean {
  return component.split(',').some(element => {
    if (element === '*') return true
    const [range = '', step] = element.split('/')
    const [from = '', to] = range.split('..')
    if (step === undefined && to === undefined) return Number(from) === value
    if (value < Number(from) || (to !== undefined && value > Number(to))) return false
    return step === undefined || (value - Number(from)) % Number(step) === 0
  })
}

function weekdayHolds(component: string, weekday: number): boolean {
  const index = (word: string): number => WEEK.indexOf(word.slice(0, 3))
  return component.split(',').some(element => {
    const [from = '', to = from] = element.split(/\.\.|-/)
    return (weekday - index(from) + 7) % 7 <= (index(to) - index(from) + 7) % 7
  })
}

/**
 * The times at which systemd starts a timer after an instant, to the minute. A local time that is skipped when the
 * clock goes forward never elapses; one that comes twice when the clock goes back elapses once.
 */
export function* calendarStarts(
  expression: string,
  zone: string,
  after: number,
  until: number,
): Generator<number, void, void> {
  const words = expression.trim().toLowerCase().split(/\s+/)
  if (words.length > 1 && !/^[\d*]/.test(words.at(-1)!)) words.pop()
  const whole = words.length === 1 ? (SHORTHANDS[words[0]!]?.split(' ') ?? words) : words
  const weekday = /^[a-z]/.test(whole[0]!) ? whole[0]! : '*'
  const date = whole.find(word => word.includes('-') && /^[\d*]/.test(word)) ?? '*-*-*'
  const [hour = '0', minute = '0'] = (whole.find(word => word.includes(':')) ?? '0:0').split(':')
  const [day = '*', month = '*', year = '*'] = date.split('-').reverse()
  const dayHolds = (local: number): boolean => {
    const at = dateOf(local)
    return (
      (weekday === '*' || weekdayHolds(weekday, at.weekday)) &&
      holds(day, at.day) &&
      holds(month, at.month) &&
      holds(year.length > 2 ? year : year.replace(/\d+/g, two => `20${two}`), at.year)
    )
  }
  const clock = WallClock.of(zone)
  let reached = clock.at(Math.floor(after / 60))
  for (let at = Math.floor(after / 60) + 1; at * 60 <= until; at++) {
    const local = clock.at(at)
    if (local <= reached) continue
    reached = local
    const ofDay = ((local % 1440) + 1440) % 1440
    if (!dayHolds(local)) {
      at = nextDay(clock, at) - 1
      reached = clock.at(at)
    } else if (holds(hour, Math.floor(ofDay / 60)) && holds(minute, ofDay % 60)) yield at * 60
  }
}
