import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Dialect } from './cron.ts'
import { parseCron, parseCronField } from './parse.ts'
import { printCron } from './print.ts'

/** Every fault as `at+length message | hint`. */
function faults(text: string, dialect: Dialect): string[] {
  const result = parseCron(text, dialect)
  if (result.ok) return []
  for (const { category, field, reason, message } of result.faults) {
    assert.equal(category, 'ConfigurationError')
    assert.equal(message, `${field === 'expression' ? 'cron expression' : `${field} field`} ${reason}`)
  }
  return result.faults.map(({ at, length, message, hint }) => `${at}+${length} ${message} | ${hint}`)
}

const FIVE = 'write minute hour day month weekday, such as 30 4 * * 1-5'
const MACROS = 'macros are @hourly @daily @midnight @weekly @monthly @yearly @annually'
const NO_SECONDS = 'and none is for seconds or years | leave out the seconds in front and the year behind'
const LONE = 'a macro stands alone, in place of the five fields'
const DIGITS = 'write a number with the digits 0-9 only'
const BLANKS = 'separate the fields with spaces or tabs, not with other blanks'
const COMMA = 'write a value there or remove the comma'
const RANDOM = 'which stands for a random value | give a fixed value; a window spreads the starts'
const LAST = 'give the days it can fall on, such as 28-31, and let the command check the date'
const NTH = 'give the days it can fall on, such as 8-14, and let the command check the weekday'
const STEP = 'write a step such as */5'

const IN_BOTH: Readonly<Record<string, readonly string[]>> = {
  '': [`0+0 cron expression is empty | ${FIVE}`],
  ' \t ': [`0+0 cron expression is empty | ${FIVE}`],
  '5': [`1+0 cron expression has 1 field instead of 5 | ${FIVE}`],
  '* * * * ': [`7+0 cron expression has 4 fields instead of 5 | ${FIVE}`],
  '0\u00a04 * * *': [`9+0 cron expression has 4 fields instead of 5 | ${BLANKS}`],
  '* * * * *\n': [`8+2 weekday field has "*\\n", which is not a value | ${BLANKS}`],
  '0 * * * * *': [`10+1 cron expression has 6 fields instead of 5, ${NO_SECONDS}`],
  '0 0 * * * ? 2026': [`10+6 cron expression has 7 fields instead of 5, ${NO_SECONDS}`],
  '1 2 3 4 5 6 7 8': [`10+5 cron expression has 8 fields instead of 5 | ${FIVE}`],
  '@reboot': [
    '0+7 cron expression is "@reboot", which names no time | let the service manager start the command at boot',
  ],
  '60 * * * *': ['0+2 minute field has "60", outside 0-59 | its values are 0 to 59; the full hour is 0'],
  '0 24 * * *': ['2+2 hour field has "24", outside 0-23 | its values are 0 to 23; midnight is 0'],
  '0 0 0 * *': ['4+1 day field has "0", outside 1-31 | its values are 1 to 31'],
  '0 0 * 13 *': ['6+2 month field has "13", outside 1-12 | its values are 1 to 12'],
  '0 0 * * 8': ['8+1 weekday field has "8", outside 0-6 | its values are 0 to 6'],
  '0 22-4 * * *': ['2+4 hour field has the range "22-4", which runs backwards | write 22-23,0-4'],
  '0 23-0 * * *': ['2+4 hour field has the range "23-0", which runs backwards | write 23,0'],
  '* * * 11-2 *': ['6+4 month field has the range "11-2", which runs backwards | write 11-12,1-2'],
  '*,5 * * * *': ['0+1 minute field has "*" in a list | write only *, which already holds every value'],
  '1,,2 * * * *': [`2+0 minute field has an empty list element | ${COMMA}`],
  '* , * * *': [
    `2+0 hour field has an empty list element | ${COMMA}`,
    `3+0 hour field has an empty list element | ${COMMA}`,
  ],
  '5- * * * *': ['0+2 minute field has the range "5-" without an end | write the last value after "5-"'],
  '- * * * *': ['0+1 minute field has "-", which is not a value | its values are 0 to 59'],
  '-5 * * * *': ['0+2 minute field has the signed number "-5" | write 5'],
  '* +5 * * *': ['2+2 hour field has the signed number "+5" | write 5'],
  '1--3 * * * *': ['2+2 minute field has the signed number "-3" | write 3'],
  '1-2-3 * * * *': ['2+3 minute field has "2-3", which is not a value | its values are 0 to 59'],
  '0x1F * * * *': ['0+4 minute field has "0x1F", which is not a plain decimal number | write 31'],
  '1e1 * * * *': ['0+3 minute field has "1e1", which is not a plain decimal number | write 10'],
  '1.5 * * * *': [`0+3 minute field has "1.5", which is not a plain decimal number | ${DIGITS}`],
  '1: * * * *': ['0+2 minute field has "1:", which is not a value | its values are 0 to 59'],
  '５ * * * *': [
    '0+1 minute field has "５", whose digits are not all 0-9 | write the number with the digits 0-9',
  ],
  '0 0 ? * *': ['4+1 day field has "?", the Quartz token for "no value" | write *'],
  '0 0 L * *': [`4+1 day field has "L", the Quartz token for "last" | ${LAST}`],
  '0 0 * * 5L': [`8+2 weekday field has "5L", the Quartz token for "last" | ${LAST}`],
  '0 0 15W * *': [
    '4+3 day field has "15W", the Quartz token for "nearest weekday" | give a fixed day, or the weekdays 1-5',
  ],
  '0 0 LW * *': [
    '4+2 day field has "LW", the Quartz token for "nearest weekday" | give a fixed day, or the weekdays 1-5',
  ],
  '0 0 * * 1#2': [`8+3 weekday field has "1#2", the Quartz token for "nth weekday" | ${NTH}`],
  'H 1~5 * * *': [`0+1 minute field has "H", ${RANDOM}`, `2+3 hour field has "1~5", ${RANDOM}`],
  '0 0 30 2 *': [
    '4+2 day field has "30", a day that none of the months has | the longest of the months has 29 days',
  ],
  '0 0 31 4,6 *': [
    '4+2 day field has "31", a day that none of the months has | the longest of the months has 30 days',
  ],
  '0 0 * * @daily': [`8+6 weekday field has "@daily", which is not a value | ${LONE}`],
}

const IN_KRON: Readonly<Record<string, readonly string[]>> = {
  '0 0 * * 5-1/2': ['8+3 weekday field has the range "5-1", which runs backwards | write 5-6,0-1'],
  '0 0 * * 7-2': ['8+3 weekday field has the range "7-2", which runs backwards | write 0-2'],
  '0 0 * * SAT-SUN': ['8+7 weekday field has the range "SAT-SUN", which runs backwards | write 6,0'],
  '5/15 * * * *': ['0+4 minute field has "5/15", a step without a range | write 5-59/15'],
  '5/1 * * * *': ['0+3 minute field has "5/1", a step without a range | write 5-59/1'],
  '5/9999999 * * * *': ['0+9 minute field has "5/9999999", a step without a range | write 5-59/1000000'],
  '70/5 * * * *': ['0+2 minute field has "70", outside 0-59 | its values are 0 to 59'],
  '*/0 * * * *': [`2+1 minute field has the step "0", which is not a whole number from 1 | ${STEP}`],
  '*/-5 * * * *': [`2+2 minute field has the step "-5", which is not a whole number from 1 | ${STEP}`],
  '*/5/5 * * * *': [`2+3 minute field has the step "5/5", which is not a whole number from 1 | ${STEP}`],
  '*/ * * * *': [`2+0 minute field has no number after "/" | ${STEP}`],
  '/5 * * * *': [`0+0 minute field has no value before "/" | ${STEP}`],
  '70-80/0 * * * *': [
    '0+2 minute field has "70", outside 0-59 | its values are 0 to 59',
    '3+2 minute field has "80", outside 0-59 | its values are 0 to 59',
    `6+1 minute field has the step "0", which is not a whole number from 1 | ${STEP}`,
  ],
  '0 0 * * monday': ['8+6 weekday field has "monday", but names have three letters | write MON'],
  '0 0 SAT * JAN': [
    '4+3 day field has the name "SAT", which belongs to the weekday field | its values are 1 to 31',
    '10+3 weekday field has the name "JAN", which belongs to the month field | its values are 0 to 6',
  ],
  '0 0 * FOO x': [
    '6+3 month field has "FOO", which is not a value | its values are 1 to 12 or JAN to DEC',
    '10+1 weekday field has "x", which is not a value | its values are 0 to 6 or SUN to SAT',
  ],
  '@dayly': [`0+6 cron expression is the unknown macro "@dayly" | ${MACROS}`],
  '@Daily': ['0+6 cron expression is the unknown macro "@Daily" | write @daily'],
  '@every 5m': [
    '0+6 cron expression is "@every", which is no macro | write a step: */5 * * * * is every five minutes, 0 */2 * * * every two hours',
    `7+2 cron expression has "5m" after its macro | ${LONE}`,
  ],
  ' @daily * *': [`8+3 cron expression has "* *" after its macro | ${LONE}`],
}

const IN_POSIX: Readonly<Record<string, readonly string[]>> = {
  '*/15 * * * *': ['0+4 minute field has the step "*/15", and POSIX cron has no steps | write 0,15,30,45'],
  '0 9-17/4 */1 * *': [
    '2+6 hour field has the step "9-17/4", and POSIX cron has no steps | write 9,13,17',
    '9+3 day field has the step "*/1", and POSIX cron has no steps | write 1-31',
  ],
  '5/20 1-9/0 * * *': [
    '0+4 minute field has the step "5/20", and POSIX cron has no steps | write 5,25,45',
    '5+5 hour field has the step "1-9/0", and POSIX cron has no steps | list the values',
  ],
  '0 0 * jan MON': [
    '6+3 month field has the name "jan", and POSIX cron has no names | write 1',
    '10+3 weekday field has the name "MON", and POSIX cron has no names | write 1',
  ],
  '0 0 * * sunday': ['8+6 weekday field has the name "sunday", and POSIX cron has no names | write 0'],
  '0 0 * * 7': ['8+1 weekday field has "7", outside 0-6 | its values are 0 to 6; Sunday is 0'],
  '0 0 * * x': ['8+1 weekday field has "x", which is not a value | its values are 0 to 6'],
  '@daily': ['0+6 cron expression is the macro "@daily", and POSIX cron has no macros | write 0 0 * * *'],
  '@foo': [
    '0+4 cron expression is the macro "@foo", and POSIX cron has no macros | write five fields such as 0 0 * * *',
  ],
}

test('what both dialects reject, each has its own message, place and hint', () => {
  for (const [text, expected] of Object.entries(IN_BOTH)) {
    assert.deepEqual(faults(text, 'kron'), expected, text)
    assert.deepEqual(faults(text, 'posix'), expected, text)
  }
})

test('what the kron dialect rejects has its own message, place and hint', () => {
  for (const [text, expected] of Object.entries(IN_KRON))
    assert.deepEqual(faults(text, 'kron'), expected, text)
})

test('what only the posix dialect rejects has its own message, place and hint', () => {
  for (const [text, expected] of Object.entries(IN_POSIX))
    assert.deepEqual(faults(text, 'posix'), expected, text)
})

/** The text as Kron would write it. */
function canonical(text: string, dialect: Dialect): string {
  const result = parseCron(text, dialect)
  assert.ok(result.ok, `${text}: ${faults(text, dialect)}`)
  return printCron(result.value, dialect)
}

test('accepted expressions have one canonical text', () => {
  const texts = {
    '* * * * *': '* * * * *',
    '\t 05  4\t* * * ': '5 4 * * *',
    '0,15,30,45 */2 1-31 * 0-6': '*/15 */2 1-31 * 0-6',
    '0-59 0-23 */1 1-12 */1': '* * 1-31 * 0-6',
    '9-17/2 1,2,3 2,1 JAN,feb-MAR sun-TUE': '9-17/2 1-3 1,2 1-3 0-2',
    '0 0 * * 7': '0 0 * * 0',
    '0 0 * * 5-7': '0 0 * * 0,5,6',
    '0 0 * * 1-7/3': '0 0 * * 0,1,4',
    '3-3/9 */90 29 2 *': '3 0 29 2 *',
    '0 0 30 2 1': '0 0 30 2 1',
    '0 0 31 1 *': '0 0 31 1 *',
    '@hourly': '0 * * * *',
    ' @weekly ': '0 0 * * 0',
    '@midnight': '0 0 * * *',
    '@annually': '0 0 1 1 *',
  }
  for (const [text, expected] of Object.entries(texts)) assert.equal(canonical(text, 'kron'), expected)
})

test('the posix dialect prints no steps', () => {
  assert.equal(canonical('0,30 1,3,5 * * 0,2,4,6', 'posix'), '0,30 1,3,5 * * 0,2,4,6')
})

test('a field alone is read like a field of an expression', () => {
  assert.deepEqual(parseCronField('28-31,0,45-50/5', 'minute', 'kron'), {
    ok: true,
    value: [0, 28, 29, 30, 31, 45, 50],
  })
  assert.deepEqual(parseCronField('29-31', 'day', 'posix'), { ok: true, value: [29, 30, 31] })
  assert.deepEqual(parseCronField('FRI-7', 'weekday', 'kron'), { ok: true, value: [0, 5, 6] })
  const empty = parseCronField('', 'hour', 'kron')
  assert.equal(!empty.ok && empty.faults[0]?.message, 'hour field is empty')
  const blank = parseCronField('1 2', 'hour', 'kron')
  assert.equal(!blank.ok && blank.faults[0]?.reason, 'has "1 2", which is not a value')
})

test('of more than a hundred faults the first hundred are told', () => {
  const told = faults(`${'x,'.repeat(150)}5 * * * *`, 'kron')
  assert.deepEqual([told.length, told[0]!.slice(0, 4), told[99]!.slice(0, 6)], [100, '0+1 ', '198+1 '])
})

test('lines of a million characters are read or rejected, with a hundred faults at most', () => {
  const million = 1_000_000
  const lines = {
    '1': 1,
    '*': 1,
    ',': 100,
    '-': 2,
    '/': 2,
    '* ': 1,
    '1,': 1,
    L: 1,
    '@': 2,
    'x,': 100,
    '５': 1,
    '99999,': 100,
  }
  for (const [piece, count] of Object.entries(lines)) {
    const text = `${piece.repeat(million / piece.length)} * * * *`
    assert.equal(faults(text, 'kron').length, count, piece)
  }
  assert.deepEqual(faults(`${'0'.repeat(million)}5 ${' '.repeat(million)}* * * *`, 'posix'), [])
  assert.deepEqual(faults(`${'5,'.repeat(million)}5 * * * *`, 'posix'), [])
})
