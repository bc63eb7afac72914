import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findZone } from '../zone/find.ts'
import { Zone } from '../zone/zone.ts'
import type { Cron } from './cron.ts'
import { parseCron } from './parse.ts'
import { next, prev } from './search.ts'

/** Crontabs that krond runs in cron's place set `fixedTime` for lines without `*` in minute and hour. */
function fixed(expression: string): Cron {
  const parsed = parseCron(expression, 'kron')
  assert.ok(parsed.ok)
  return { ...parsed.value, fixedTime: true }
}

const NEW_YORK = findZone('America/New_York')!
const seconds = (time: string): number => Date.parse(time) / 1_000

/** Looks forwards and backwards: both must find the same. */
function occurrences(cron: Cron, from: string, to: string, zone = NEW_YORK): string[] {
  const forwards: number[] = []
  for (let at = next(cron, zone, seconds(from) - 1)!; at < seconds(to); at = next(cron, zone, at)!)
    forwards.push(at)
  const backwards: number[] = []
  for (let at = prev(cron, zone, seconds(to) - 1)!; at >= seconds(from); at = prev(cron, zone, at - 1)!)
    backwards.unshift(at)
  assert.deepEqual(backwards, forwards)
  return forwards.map(at => new Date(at * 1_000).toISOString())
}

test('a fixed time that the clock skips comes once, just after the gap', () => {
  assert.deepEqual(occurrences(fixed('30 2 * * *'), '2026-03-07T00:00:00Z', '2026-03-10T00:00:00Z'), [
    '2026-03-07T07:30:00.000Z',
    '2026-03-08T07:00:00.000Z',
    '2026-03-09T06:30:00.000Z',
  ])
})

test('a fixed time that the clock shows twice comes once, the first time', () => {
  assert.deepEqual(occurrences(fixed('30 1 * * *'), '2026-10-31T12:00:00Z', '2026-11-03T00:00:00Z'), [
    '2026-11-01T05:30:00.000Z',
    '2026-11-02T06:30:00.000Z',
  ])
})

test('several fixed times in one gap come as one', () => {
  assert.deepEqual(occurrences(fixed('0,20,40 2 * * *'), '2026-03-08T00:00:00Z', '2026-03-08T23:00:00Z'), [
    '2026-03-08T07:00:00.000Z',
  ])
})

test('a change of three hours is made up for only if the clock is set back, a longer one not at all', () => {
  const casey = findZone('Antarctica/Casey')!
  assert.deepEqual(occurrences(fixed('30 3 * * *'), '2011-10-27T00:00:00Z', '2011-10-29T00:00:00Z', casey), [
    '2011-10-28T16:30:00.000Z',
  ])
  assert.deepEqual(occurrences(fixed('30 0 * * *'), '2010-03-04T00:00:00Z', '2010-03-05T00:00:00Z', casey), [
    '2010-03-04T13:30:00.000Z',
  ])
  const vostok = findZone('Antarctica/Vostok')!
  assert.deepEqual(
    occurrences(fixed('30 20 * * *'), '1994-01-31T00:00:00Z', '1994-02-01T00:00:00Z', vostok),
    ['1994-01-31T13:30:00.000Z', '1994-01-31T20:30:00.000Z'],
  )
})

/** Zone tables are learnt in parts; one begins at 2026-05-10T03:48:16Z. */
const CUT = 53 * 2 ** 25

test('a fixed time comes once even if a part of the zone table begins while it is shown again', () => {
  const setBack = seconds('2026-05-10T03:00:00Z')
  const zone = new Zone('Test/SetBack', at => (at < setBack ? 3_600 : 0))
  const [first, second] = [seconds('2026-05-10T02:55:00Z'), seconds('2026-05-11T03:55:00Z')]
  const cron = fixed('55 3 * * *')
  assert.ok(zone.rowAt(CUT - 1) !== zone.rowAt(CUT) && setBack < CUT)
  for (let at = first; at < second; at += 60) {
    assert.equal(next(cron, zone, at), second, `after ${at}`)
    assert.equal(prev(cron, zone, at), first, `up to ${at}`)
  }
})

test('a fixed time in the minute in which a part of the zone table begins is found', () => {
  const zone = new Zone('Test/Still', () => 0)
  assert.ok(zone.rowAt(CUT - 1) !== zone.rowAt(CUT))
  assert.deepEqual(occurrences(fixed('48 3 * * *'), '2026-05-10T00:00:00Z', '2026-05-11T00:00:00Z', zone), [
    '2026-05-10T03:48:00.000Z',
  ])
})
