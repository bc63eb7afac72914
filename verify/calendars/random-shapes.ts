import type { Chance } from '@kron/testkit/chance'

const ZONES = ['', 'Europe/Paris', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC']
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const two = (n: number): string => String(n).padStart(2, '0')

/** A calendar with one event that repeats in a random way. */
export function randomCalendar(chance: Chance): string {
  const isDate = chance.happens(0.5)
  const date = `${chance.between(2000, 2030)}${two(chance.between(1, 12))}${two(chance.between(1, 28))}`
  const time = `T${two(chance.between(0, 23))}${two(chance.pick([0, 15, 30]))}00`
  const zone = chance.pick(ZONES)
  const start = isDate
    ? `DTSTART;VALUE=DATE:${date}`
    : zone === 'UTC'
      ? `DTSTART:${date}${time}Z`
      : `DTSTART${zone === '' ? '' : `;TZID=${zone}`}:${date}${time}`
  const length = isDate ? `DURATION:P${chance.between(1, 3)}D` : `DURATION:PT${chance.between(15, 300)}M`
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    'UID:random',
    'DTSTAMP:20260101T000000Z',
    start,
    length,
    `RRULE:${randomRule(chance)}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}

function randomRule(chance: Chance): string {
  const freq = chance.pick(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])
  const parts = [`FREQ=${freq}`, `COUNT=${chance.between(1, 40)}`]
  if (chance.happens(0.4)) parts.push(`INTERVAL=${chance.between(1, 4)}`)
  const day = (): string => chance.pick(DAYS)
  if (freq === 'DAILY' && chance.happens(0.4)) parts.push(`BYMONTH=${chance.between(1, 12)}`)
  if (freq === 'DAILY' && chance.happens(0.3)) parts.push(`BYDAY=${[...new Set([day(), day()])].join(',')}`)
  if (freq === 'WEEKLY' && chance.happens(0.6))
    parts.push(`BYDAY=${[...new Set([day(), day(), day()])].join(',')}`)
  if (freq === 'MONTHLY') {
    if (chance.happens(0.4)) parts.push(`BYDAY=${chance.pick(['1', '2', '3', '-1', ''])}${day()}`)
    else if (chance.happens(0.6)) parts.push(`BYMONTHDAY=${chance.pick([1, 15, 28, 31, -1, -2])}`)
  }
  if (freq === 'YEARLY' && chance.happens(0.6)) {
    parts.push(`BYMONTH=${chance.between(1, 12)}`)
    if (chance.happens(0.6)) parts.push(`BYDAY=${chance.pick(['1', '2', '3', '-1'])}${day()}`)
    else if (chance.happens(0.5)) parts.push(`BYMONTHDAY=${chance.between(1, 28)}`)
  }
  return parts.join(';')
}
