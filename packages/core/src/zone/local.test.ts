import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findZone } from './find.ts'
import { localTime } from './local.ts'

const seconds = (iso: string): number => Date.parse(iso) / 1000

test('Kathmandu is three quarters of an hour off the hour', () => {
  const local = localTime(findZone('Asia/Kathmandu')!, seconds('2026-07-24T18:20:05Z'))
  assert.deepEqual(local, { year: 2026, month: 7, day: 25, weekday: 6, hour: 0, minute: 5, second: 5 })
})

test('Monrovia was 44 minutes and 30 seconds behind UTC until January 1972', () => {
  const local = localTime(findZone('Africa/Monrovia')!, 0)
  assert.deepEqual(local, { year: 1969, month: 12, day: 31, weekday: 3, hour: 23, minute: 15, second: 30 })
})

test('Lord Howe moves its clocks by half an hour', () => {
  const zone = findZone('Australia/Lord_Howe')!
  assert.equal(zone.offsetAt(seconds('2026-01-15T00:00:00Z')), 11 * 3600)
  assert.equal(zone.offsetAt(seconds('2026-07-15T00:00:00Z')), 10.5 * 3600)
})

test('local times agree with Temporal in every zone at random instants from 1970 to 2200', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const instants = fc.sample(fc.integer({ min: 0, max: 7_289_654_399 }), {
    numRuns: zones.length * 5,
    seed: 7,
  })
  for (const [index, at] of instants.entries()) {
    const name = zones[index % zones.length]!
    const zoned = Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(name)
    const { year, month, day, dayOfWeek, hour, minute, second } = zoned
    const expected = { year, month, day, weekday: dayOfWeek % 7, hour, minute, second }
    assert.deepEqual(localTime(findZone(name)!, at), expected, `${name} at ${at}`)
  }
})
