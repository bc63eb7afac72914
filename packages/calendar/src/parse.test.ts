import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, instant, value } from '@kron/testkit/reading'
import fc from 'fast-check'
import { parseCalendar } from './parse.ts'

const day = (text: string): number => instant(`${text}T00:00:00Z`) / 86_400
const ics = (...lines: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    'UID:1',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
const message = (text: string, kind: 'ics' | 'dates' = 'ics'): string =>
  faultsOf(parseCalendar(text, kind))[0]!.message

test('a list of dates is read line by line, and joined', () => {
  const { days, local, instants } = value(
    parseCalendar('# holidays\n2026-12-24..2026-12-25\n\n2026-12-26 # still\r\n2027-01-01\n', 'dates'),
  )
  assert.deepEqual(days, [
    [day('2026-12-24'), day('2026-12-26')],
    [day('2027-01-01'), day('2027-01-01')],
  ])
  assert.deepEqual([local, instants], [[], []])
  assert.match(message('2026-12-24\n24.12.2026\n', 'dates'), /^line 2: "24\.12\.2026" is not a date/)
  assert.match(message('2026-12-26..2026-12-24', 'dates'), /^line 1/)
})

test('events become days, instants and local times', () => {
  const whole = value(parseCalendar(ics('DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227'), 'ics'))
  assert.deepEqual(whole.days, [[day('2026-12-24'), day('2026-12-26')]])
  const zoned = value(parseCalendar(ics('DTSTART;TZID=Europe/Paris:20260701T100000', 'DURATION:PT1H'), 'ics'))
  assert.deepEqual(zoned.instants, [[instant('2026-07-01T08:00:00Z'), instant('2026-07-01T08:59:59Z')]])
  const floating = value(parseCalendar(ics('DTSTART:20260701T100000', 'DTEND:20260701T110000'), 'ics'))
  assert.deepEqual(floating.local, [[instant('2026-07-01T10:00:00Z'), instant('2026-07-01T10:59:59Z')]])
})

test('a leap day comes every fourth year, and a rule that nothing satisfies ends', () => {
  const leap = value(parseCalendar(ics('DTSTART;VALUE=DATE:20200229', 'RRULE:FREQ=YEARLY;COUNT=3'), 'ics'))
  assert.deepEqual(
    leap.days.map(([from]) => from),
    [day('2020-02-29'), day('2024-02-29'), day('2028-02-29')],
  )
  const never = ics('DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')
  assert.deepEqual(value(parseCalendar(never, 'ics')).days, [[day('2026-01-01'), day('2026-01-01')]])
})

test('what is no calendar, or none of days and hours, is refused in a sentence', () => {
  assert.match(message('hello'), /no BEGIN:VCALENDAR/)
  assert.match(message('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n'), /^it is not iCalendar/)
  assert.match(message(ics('SUMMARY:x')), /no DTSTART/)
  assert.match(message(ics('DTSTART;VALUE=DATE:20261399')), /is not a date/)
  assert.match(message(ics('DTSTART:20260101T000000Z', 'RRULE:FREQ=SECONDLY')), /repeats secondly/)
  assert.match(message(ics('DTSTART;TZID=Mars/Phobos:20260101T000000')), /unknown time zone "Mars\/Phobos"/)
  assert.match(
    message(ics('DTSTART:20260101T000000Z', 'DURATION:PT1M', 'RRULE:FREQ=HOURLY')),
    /too many occurrences/,
  )
  const endless = ics('DTSTART:20260320T003000', 'DURATION:P900719925474D')
  assert.equal(message(endless), 'an event lasts for more than 366000 days')
})

test('no text makes it throw, and ranges are sorted and apart', () => {
  const sound = ics(
    'DTSTART;TZID=Europe/Paris:20260701T100000',
    'DURATION:PT1H',
    'RRULE:FREQ=WEEKLY;COUNT=5',
    'EXDATE;TZID=Europe/Paris:20260708T100000',
  )
  fc.assert(
    fc.property(
      fc.nat(sound.length),
      fc.nat(20),
      fc.string({ unit: 'binary', maxLength: 20 }),
      (at, length, text) => {
        const read = parseCalendar(sound.slice(0, at) + text + sound.slice(at + length), 'ics')
        if (!read.ok) return
        for (const ranges of [read.value.days, read.value.local, read.value.instants]) {
          for (const [i, [from, to]] of ranges.entries()) {
            assert.ok(from <= to && Number.isInteger(from) && Number.isInteger(to))
            if (i > 0) assert.ok(from > ranges[i - 1]![1] + 1)
          }
        }
      },
    ),
    { numRuns: 500, seed: 1 },
  )
})
