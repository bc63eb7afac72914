import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findZone } from '../zone/find.ts'
import type { Cron } from './cron.ts'
import { parseCron } from './parse.ts'
import { next, prev } from './search.ts'

/** Crontabs that krond runs in cron's place set `fixedTime` for lines without `*` in minute and hour. */
function fixed(expression: string): Cron {
  const parsed = parseCron(expression, 'kron')
  assert.ok(parsed.ok)
  return { ...parsed.value, fixedTime: true }
}

const zone = findZone('America/New_York')!
const seconds = (time: string): number => Date.parse(time) / 1_000

/** Looks forwards and backwards: both must find the same. */
function occurrences(cron: Cron, from: string, to: string): string[] {
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
