import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findZone } from './find.ts'
import { TABLE_END, TABLE_START, UTC, Zone } from './zone.ts'

const HORIZON = Date.UTC(2201, 0, 1) / 1000

type Transition = readonly [at: number, offset: number]

function transitionsOf(zone: Zone): Transition[] {
  const found: Transition[] = []
  let offset = zone.offsetAt(0)
  for (let at = 0; at < HORIZON; ) {
    const row = zone.rowAt(at)
    if (zone.offsetOf(row) !== offset) found.push([at, zone.offsetOf(row)])
    offset = zone.offsetOf(row)
    at = zone.endOf(row)
  }
  return found
}

function transitionsByTemporal(name: string): Transition[] {
  const found: Transition[] = []
  let zoned = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).getTimeZoneTransition('next')
  for (; zoned && zoned.epochMilliseconds < HORIZON * 1000; zoned = zoned.getTimeZoneTransition('next')) {
    found.push([zoned.epochMilliseconds / 1000, zoned.offsetNanoseconds / 1e9])
  }
  return found
}

test('every transition of every zone from 1970 to 2200 is the one Temporal knows', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) {
    const zone = findZone(name)!
    assert.deepEqual(transitionsOf(zone), transitionsByTemporal(name), name)
  }
})

/** A zone that is an hour ahead from `change` on, and how often it was read. */
function countedZone(change: number): { zone: Zone; reads: () => number } {
  let reads = 0
  const zone = new Zone('Test/Counted', at => {
    reads++
    return at < change ? 0 : 3600
  })
  return { zone, reads: () => reads }
}

test('a zone reads about a year when first asked, and nothing when asked again', () => {
  const { zone, reads } = countedZone(1_780_000_000)
  assert.equal(zone.offsetAt(1_779_999_999), 0)
  const first = reads()
  assert.ok(first < 110, `${first} readings`)
  assert.equal(zone.offsetAt(1_780_000_000), 3600)
  assert.equal(reads(), first)
})

test('blocks learnt out of order answer like blocks learnt in order', () => {
  const { zone } = countedZone(1_780_000_000)
  const instants = [7e9, 0, 1_780_000_000, 3e9, 1_779_999_999, 1e9, 6e9, -1e8]
  assert.deepEqual(
    instants.map(at => zone.offsetAt(at)),
    instants.map(at => (at < 1_780_000_000 ? 0 : 3600)),
  )
})

test('instants outside the table have the offset of its nearest end', () => {
  const { zone } = countedZone(1_780_000_000)
  assert.deepEqual(
    [-1e12, TABLE_START, TABLE_END, 1e12].map(at => zone.offsetAt(at)),
    [0, 0, 3600, 3600],
  )
})

test('UTC is one segment', () => {
  const row = UTC.rowAt(0)
  assert.deepEqual([UTC.startOf(row), UTC.endOf(row), UTC.offsetOf(row)], [TABLE_START, TABLE_END, 0])
})
