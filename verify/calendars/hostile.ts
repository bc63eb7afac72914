const head = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n'
const event = (lines: string): string => `BEGIN:VEVENT\r\nUID:x\r\n${lines}\r\nEND:VEVENT\r\n`
const calendar = (body: string): string => `${head}${body}END:VCALENDAR\r\n`
const rule = (text: string, start = 'DTSTART:20260101T000000Z'): string =>
  calendar(event(`${start}\r\nDURATION:PT1M\r\nRRULE:${text}`))

/** Files that are made to take for ever, or to fill the memory. */
export function* hostileCalendars(): Generator<{ readonly name: string; readonly text: string }> {
  const of = (name: string, text: string) => ({ name, text })
  yield of('every second', rule('FREQ=SECONDLY'))
  yield of('every hour for ever', rule('FREQ=HOURLY'))
  yield of('a day that never comes', rule('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'))
  yield of('an hour that never comes', rule('FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30'))
  yield of('a year that never comes', rule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'))
  yield of('a month that never comes', rule('FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31'))
  yield of('a week that never comes', rule('FREQ=WEEKLY;BYMONTH=2;BYSETPOS=5;BYDAY=MO'))
  yield of('a huge interval', rule('FREQ=YEARLY;INTERVAL=999999999'))
  yield of('an interval of 0', rule('FREQ=DAILY;INTERVAL=0'))
  yield of('a huge count', rule('FREQ=DAILY;COUNT=999999999'))
  yield of(
    'every part of every day',
    rule(`FREQ=DAILY;BYHOUR=${numbers(24)};BYMINUTE=${numbers(60)};BYSECOND=${numbers(60)}`),
  )
  yield of('the year 0', rule('FREQ=DAILY', 'DTSTART:00000101T000000Z'))
  yield of('the year 9999', rule('FREQ=DAILY', 'DTSTART:99990101T000000Z'))
  yield of('a negative duration', calendar(event('DTSTART:20260101T000000Z\r\nDURATION:-P9999D')))
  yield of('a duration of ages', calendar(event('DTSTART;VALUE=DATE:20260101\r\nDURATION:P99999999W')))
  yield of('10 MB of events', calendar(event('DTSTART;VALUE=DATE:20260101').repeat(Math.floor(1e7 / 60))))
  yield of(
    '40,000 events',
    calendar(
      Array.from({ length: 40_000 }, (_, i) =>
        event(`DTSTART;VALUE=DATE:${2000 + (i % 90)}0${1 + (i % 9)}1${i % 9}`).replace('UID:x', `UID:${i}`),
      ).join(''),
    ),
  )
  yield of('10 MB in one line', calendar(event(`DTSTART;VALUE=DATE:20260101\r\nSUMMARY:${'x'.repeat(1e7)}`)))
  yield of(
    '10 MB of folds',
    calendar(event(`DTSTART;VALUE=DATE:20260101\r\nSUMMARY:x${'\r\n x'.repeat(2.5e6)}`)),
  )
  yield of(
    '10 MB of EXDATE',
    calendar(
      event(
        `DTSTART;VALUE=DATE:20260101\r\nRRULE:FREQ=DAILY\r\nEXDATE;VALUE=DATE:${'20260102,'.repeat(1e6)}20260103`,
      ),
    ),
  )
  yield of('deep nesting', `${head}${'BEGIN:VEVENT\r\n'.repeat(200_000)}`)
  yield of('no end', `${head}BEGIN:VEVENT\r\nDTSTART:2026`)
  yield of('no start', calendar(event('SUMMARY:x')))
  yield of('a bad date', calendar(event('DTSTART;VALUE=DATE:20261399')))
  yield of('a bad rule', rule('FREQ=SOMETIMES;BYDAY=XX'))
  yield of('an unknown zone', calendar(event('DTSTART;TZID=Mars/Phobos:20260101T000000')))
  yield of(
    'a zone that repeats for ever',
    `${head}BEGIN:VTIMEZONE\r\nTZID:Evil\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nRRULE:FREQ=SECONDLY\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n${event('DTSTART;TZID=Evil:20990101T000000\r\nDURATION:PT1H')}END:VCALENDAR\r\n`,
  )
  yield of(
    'property names of objects',
    calendar(event('DTSTART;VALUE=DATE:20260101\r\n__PROTO__:x\r\nCONSTRUCTOR;__PROTO__=y:x')),
  )
}

const numbers = (count: number): string => Array.from({ length: count }, (_, i) => i).join(',')
