import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findZone } from '../zone/find.ts'
import type { Zone } from '../zone/zone.ts'
import type { Cron } from './cron.ts'
import { parseCron } from './parse.ts'
import { next, prev } from './search.ts'

/**
 * Changes of the clock: by an hour, half an hour, two hours, three hours (the limit), seven hours, a day; twice within
 * weeks; in Los Angeles, where in 2185 a part of the zone table begins in the hour that is shown twice.
 */
const CHANGES: readonly (readonly [zone: string, day: string])[] = [
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['Australia/Lord_Howe', '2026-10-03'],
  ['Antarctica/Troll', '2026-03-29'],
  ['Antarctica/Troll', '2026-10-25'],
  ['Antarctica/Casey', '2010-03-04'],
  ['Antarctica/Casey', '2011-10-27'],
  ['Africa/Casablanca', '2026-02-15'],
  ['Africa/Casablanca', '2026-03-22'],
  ['Antarctica/Vostok', '1994-01-31'],
  ['Pacific/Apia', '2011-12-30'],
  ['America/Caracas', '2016-05-01'],
  ['America/Los_Angeles', '2185-11-06'],
  ['UTC', '2026-06-01'],
]
const DAY = 86_400
/** In minutes. cron takes a longer change for a correction. */
const SHORTEST_CORRECTION = 180

const localMinute = (zone: Zone, at: number): number => Math.floor((at + zone.offsetAt(at)) / 60)

/** Cron's rule for fixed times, minute by minute: `matches` tells whether a local minute is in the schedule. */
function occurrencesByHand(
  zone: Zone,
  from: number,
  to: number,
  matches: (minute: number) => boolean,
): number[] {
  const found: number[] = []
  let shown = localMinute(zone, from - 60)
  let before = shown
  for (let at = from; at < to; at += 60) {
    const now = localMinute(zone, at)
    const change = now - before - 1
    const skipped = change > 0 && change < SHORTEST_CORRECTION ? change : 0
    if (change < -SHORTEST_CORRECTION) shown = now - 1
    const candidates = Array.from({ length: skipped + 1 }, (_, i) => now - i).filter(each => each > shown)
    if (candidates.some(matches)) found.push(at)
    shown = Math.max(shown, now)
    before = now
  }
  return found
}

const situation = fc.record({
  change: fc.constantFrom(...CHANGES),
  minutes: fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 4 }),
  hours: fc.uniqueArray(fc.oneof(fc.nat(5), fc.nat(23)), { minLength: 1, maxLength: 4 }),
  from: fc.nat(3 * DAY),
})

test('the search for fixed times finds the occurrences of cron around every kind of clock change', () => {
  let made = 0
  fc.assert(
    fc.property(situation, ({ change: [name, day], minutes, hours, from }) => {
      const zone = findZone(name)!
      const parsed = parseCron(`${minutes.join(',')} ${hours.join(',')} * * *`, 'kron')
      assert.ok(parsed.ok)
      const cron: Cron = { ...parsed.value, fixedTime: true }
      const matches = (minute: number): boolean =>
        minutes.includes(minute % 60) && hours.includes(Math.floor(minute / 60) % 24)
      const middle = Date.parse(`${day}T12:00:00Z`) / 1_000
      // Well before the change, so that nothing that the first minutes show was shown before.
      const all = occurrencesByHand(zone, middle - 4 * DAY, middle + 4 * DAY, matches)
      const at = middle - 1.5 * DAY + from
      assert.equal(
        next(cron, zone, at),
        all.find(each => each > at),
      )
      assert.equal(
        prev(cron, zone, at),
        all.findLast(each => each <= at),
      )
      for (const [index, each] of all.entries()) {
        if (Math.abs(each - middle) >= 2 * DAY) continue
        assert.equal(next(cron, zone, each - 1), each)
        assert.equal(prev(cron, zone, each), each)
        assert.equal(next(cron, zone, each), all[index + 1])
        assert.equal(prev(cron, zone, each - 1), all[index - 1])
        made++
      }
    }),
    { numRuns: 1_500 },
  )
  assert.ok(made > 10_000, `${made} occurrences`)
})
