import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findZone } from '../zone/find.ts'
import { UTC, Zone } from '../zone/zone.ts'
import type { Cron } from './cron.ts'
import { parseCron } from './parse.ts'
import { matches, next, prev } from './search.ts'

const cronOf = (text: string): Cron => {
  const result = parseCron(text, 'kron')
  assert.ok(result.ok, text)
  return result.value
}
const seconds = (iso: string): number => Date.parse(iso) / 1000
const iso = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at * 1000).toISOString().replace('.000Z', 'Z')

/** The occurrences in `[from, to)`, found forwards and, to the same end, backwards. */
function occurrences(text: string, zoneName: string, from: string, to: string): (string | undefined)[] {
  const cron = cronOf(text)
  const zone = findZone(zoneName)!
  const forwards: number[] = []
  for (let at = next(cron, zone, seconds(from) - 1)!; at < seconds(to); at = next(cron, zone, at)!)
    forwards.push(at)
  const backwards: number[] = []
  for (let at = prev(cron, zone, seconds(to) - 1)!; at >= seconds(from); at = prev(cron, zone, at - 1)!) {
    backwards.unshift(at)
  }
  assert.deepEqual(backwards, forwards)
  for (const at of forwards) assert.ok(matches(cron, zone, at) && matches(cron, zone, at + 59))
  return forwards.map(iso)
}

test('New York has no 02:30 on 2026-03-08', () => {
  assert.deepEqual(
    occurrences('30 2 * * *', 'America/New_York', '2026-03-07T00:00:00Z', '2026-03-10T00:00:00Z'),
    ['2026-03-07T07:30:00Z', '2026-03-09T06:30:00Z'],
  )
})

test('New York has 01:30 twice on 2026-11-01', () => {
  assert.deepEqual(
    occurrences('30 1 * * *', 'America/New_York', '2026-10-31T12:00:00Z', '2026-11-03T00:00:00Z'),
    ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-02T06:30:00Z'],
  )
})

test('every quarter hour of a fold counts once per instant', () => {
  assert.deepEqual(
    occurrences('*/15 1 * * *', 'America/New_York', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'),
    [
      '2026-11-01T05:00:00Z',
      '2026-11-01T05:15:00Z',
      '2026-11-01T05:30:00Z',
      '2026-11-01T05:45:00Z',
      '2026-11-01T06:00:00Z',
      '2026-11-01T06:15:00Z',
      '2026-11-01T06:30:00Z',
      '2026-11-01T06:45:00Z',
    ],
  )
})

test('Lord Howe skips and repeats half an hour', () => {
  const zone = 'Australia/Lord_Howe'
  assert.deepEqual(occurrences('0,15,45 2 * * *', zone, '2026-10-03T00:00:00Z', '2026-10-04T12:00:00Z'), [
    '2026-10-03T15:45:00Z',
  ])
  assert.deepEqual(occurrences('45 1 * * *', zone, '2026-04-04T00:00:00Z', '2026-04-05T12:00:00Z'), [
    '2026-04-04T14:45:00Z',
    '2026-04-04T15:15:00Z',
  ])
  assert.deepEqual(occurrences('15 1 * * *', zone, '2026-04-04T00:00:00Z', '2026-04-05T12:00:00Z'), [
    '2026-04-04T14:15:00Z',
  ])
})

test('Dublin, whose standard time is that of summer, follows the same rule', () => {
  const zone = 'Europe/Dublin'
  assert.deepEqual(occurrences('30 1 * * *', zone, '2026-03-29T00:00:00Z', '2026-03-31T00:00:00Z'), [
    '2026-03-30T00:30:00Z',
  ])
  assert.deepEqual(occurrences('30 1 * * *', zone, '2026-10-25T00:00:00Z', '2026-10-26T00:00:00Z'), [
    '2026-10-25T00:30:00Z',
    '2026-10-25T01:30:00Z',
  ])
})

test('Cairo has no midnight when summer time begins, and 23:30 twice when it ends', () => {
  const zone = 'Africa/Cairo'
  assert.deepEqual(occurrences('0 0 * * *', zone, '2026-04-23T00:00:00Z', '2026-04-25T12:00:00Z'), [
    '2026-04-24T21:00:00Z',
  ])
  assert.deepEqual(occurrences('30 23 * * *', zone, '2026-10-29T00:00:00Z', '2026-10-30T12:00:00Z'), [
    '2026-10-29T20:30:00Z',
    '2026-10-29T21:30:00Z',
  ])
})

test('Beirut has no midnight on the last Sunday of March', () => {
  assert.deepEqual(
    occurrences('0,59 0,1 29 3 *', 'Asia/Beirut', '2026-03-28T00:00:00Z', '2026-03-30T00:00:00Z'),
    ['2026-03-28T22:00:00Z', '2026-03-28T22:59:00Z'],
  )
})

test('Santiago has no midnight in September, and 23:30 twice in April', () => {
  const zone = 'America/Santiago'
  assert.deepEqual(occurrences('30 0 6 9 *', zone, '2026-09-05T00:00:00Z', '2026-09-07T00:00:00Z'), [])
  assert.deepEqual(occurrences('30 23 4 4 *', zone, '2026-04-04T00:00:00Z', '2026-04-06T00:00:00Z'), [
    '2026-04-05T02:30:00Z',
    '2026-04-05T03:30:00Z',
  ])
})

test('Apia had no 30 December in 2011', () => {
  const zone = 'Pacific/Apia'
  assert.deepEqual(occurrences('0 12 30 12 *', zone, '2011-12-01T00:00:00Z', '2012-12-31T00:00:00Z'), [
    '2012-12-29T22:00:00Z',
  ])
  assert.deepEqual(occurrences('0 12 * * *', zone, '2011-12-29T00:00:00Z', '2012-01-01T00:00:00Z'), [
    '2011-12-29T22:00:00Z',
    '2011-12-30T22:00:00Z',
    '2011-12-31T22:00:00Z',
  ])
})

test('Troll moves its clocks by two hours', () => {
  const zone = 'Antarctica/Troll'
  assert.deepEqual(occurrences('30 1,2,3 29 3 *', zone, '2026-03-28T00:00:00Z', '2026-03-30T00:00:00Z'), [
    '2026-03-29T01:30:00Z',
  ])
  assert.deepEqual(occurrences('30 1,2 25 10 *', zone, '2026-10-24T00:00:00Z', '2026-10-26T00:00:00Z'), [
    '2026-10-24T23:30:00Z',
    '2026-10-25T00:30:00Z',
    '2026-10-25T01:30:00Z',
    '2026-10-25T02:30:00Z',
  ])
})

test('Kathmandu keeps its three quarters of an hour', () => {
  assert.deepEqual(
    occurrences('0 0 * * *', 'Asia/Kathmandu', '2026-07-01T00:00:00Z', '2026-07-03T00:00:00Z'),
    ['2026-07-01T18:15:00Z', '2026-07-02T18:15:00Z'],
  )
})

test('a minute in Monrovia before 1972 begins at second 30', () => {
  assert.deepEqual(
    occurrences('0 12 * * *', 'Africa/Monrovia', '1972-01-06T00:00:00Z', '1972-01-08T00:00:00Z'),
    ['1972-01-06T12:44:30Z', '1972-01-07T12:00:00Z'],
  )
})

test('leap days are found across 2100 and beyond both ends of the range', () => {
  const cron = cronOf('0 0 29 2 *')
  assert.equal(iso(next(cron, UTC, seconds('2096-02-29T00:00:00Z'))), '2104-02-29T00:00:00Z')
  assert.equal(iso(prev(cron, UTC, seconds('2104-02-28T00:00:00Z'))), '2096-02-29T00:00:00Z')
  assert.equal(iso(next(cron, UTC, seconds('2200-12-31T23:59:59Z'))), '2204-02-29T00:00:00Z')
  assert.equal(iso(prev(cron, UTC, 0)), '1968-02-29T00:00:00Z')
})

test('from every year the leap days on either side are found', () => {
  const cron = cronOf('0 0 29 2 *')
  const leaps = Array.from({ length: 240 }, (_, index) => 1968 + index).filter(
    year => new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29,
  )
  for (let year = 1970; year <= 2200; year++) {
    const middle = seconds(`${year}-07-01T00:00:00Z`)
    assert.equal(iso(next(cron, UTC, middle)), `${leaps.find(leap => leap > year)}-02-29T00:00:00Z`)
    assert.equal(iso(prev(cron, UTC, middle)), `${leaps.findLast(leap => leap <= year)}-02-29T00:00:00Z`)
  }
})

test('with both day fields restricted either matches, even if one holds every day', () => {
  const july = ['2026-07-01T00:00:00Z', '2026-07-20T00:00:00Z'] as const
  assert.deepEqual(occurrences('0 0 10 * 1', 'UTC', ...july), [
    '2026-07-06T00:00:00Z',
    '2026-07-10T00:00:00Z',
    '2026-07-13T00:00:00Z',
  ])
  assert.equal(occurrences('0 0 10 * 0-6', 'UTC', ...july).length, 19)
  assert.deepEqual(occurrences('0 0 30 2 1', 'UTC', '2026-02-15T00:00:00Z', '2026-03-10T00:00:00Z'), [
    '2026-02-16T00:00:00Z',
    '2026-02-23T00:00:00Z',
  ])
})

test('only instants from 1970 to 2200 are answered', () => {
  const cron = cronOf('* * * * *')
  for (const at of [-1, seconds('2201-01-01T00:00:00Z'), Number.NaN, Infinity, -Infinity]) {
    assert.equal(next(cron, UTC, at), undefined)
    assert.equal(prev(cron, UTC, at), undefined)
  }
  assert.equal(next(cron, UTC, 0), 60)
  assert.equal(prev(cron, UTC, 0), 0)
  assert.equal(iso(next(cron, UTC, seconds('2200-12-31T23:59:59Z'))), '2201-01-01T00:00:00Z')
})

test('a far occurrence costs no look at the years before it', () => {
  let reads = 0
  const zone = new Zone('Test/Counted', at => {
    reads++
    return Math.floor(at / 15_000_000) % 2 === 0 ? 3600 : 7200
  })
  next(cronOf('0 0 29 2 *'), zone, seconds('2096-03-01T00:00:00Z'))
  assert.ok(reads < 400, `${reads} readings`)
})

test('the first and the last second that are answered are answered', () => {
  const everyMinute = parseCron('* * * * *', 'kron')
  assert.ok(everyMinute.ok)
  assert.equal(prev(everyMinute.value, UTC, 7_289_654_399), 7_289_654_340)
  assert.equal(next(everyMinute.value, UTC, 7_289_654_399), 7_289_654_400)
  assert.equal(prev(everyMinute.value, UTC, 0), 0)
  assert.equal(next(everyMinute.value, UTC, 0), 60)
  for (const at of [-1, 7_289_654_400]) {
    assert.equal(prev(everyMinute.value, UTC, at), undefined)
    assert.equal(next(everyMinute.value, UTC, at), undefined)
  }
})

test('a minute matches only if its time and its day do', () => {
  const cron = parseCron('30 4 1 * *', 'kron')
  assert.ok(cron.ok)
  const match = (at: string): boolean => matches(cron.value, UTC, Date.parse(at) / 1_000)
  assert.ok(match('2026-03-01T04:30:59Z'))
  assert.ok(!match('2026-03-02T04:30:00Z'))
  assert.ok(!match('2026-03-01T04:31:00Z'))
  assert.ok(!match('2026-03-01T05:30:00Z'))
})
