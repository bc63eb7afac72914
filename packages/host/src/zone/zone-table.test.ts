import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TABLE_END, TABLE_START, Zone } from '@kron/core'
import { makeTzif, type TzifText } from '@kron/testkit/host/zone/tzif'
import { changesIn, parseTzRule } from './tz-rule.ts'
import { readTzif, TzifError } from './tzif.ts'
import { zoneTableOf } from './zone-table.ts'

const zoneOf = (text: TzifText): Zone => Zone.fromTable('Test/Zone', zoneTableOf(makeTzif(text), 'test'))
const at = (text: string): number => Date.parse(text) / 1_000

test('each version is read; from version 2 on the 64-bit data count', () => {
  const transitions = [[1_000, 1]] as const
  for (const version of [1, 2, 3, 4] as const) {
    const read = readTzif(makeTzif({ version, transitions, offsets: [60, 3600] }))
    assert.deepEqual(read, { version, initial: 60, transitions: [1_000], offsets: [3600], footer: '' })
  }
})

test('before the first transition the first type holds, after the last the footer rule', () => {
  const zone = zoneOf({
    transitions: [[at('2020-03-29T01:00:00Z'), 1]],
    offsets: [3600, 7200],
    footer: 'CET-1CEST,M3.5.0,M10.5.0/3',
  })
  assert.equal(zone.offsetAt(0), 3600)
  for (const [instant, offset] of [
    ['2020-10-25T00:59:59Z', 7200],
    ['2020-10-25T01:00:00Z', 3600],
    ['2026-03-29T00:59:59Z', 3600],
    ['2026-03-29T01:00:00Z', 7200],
    ['2199-10-27T00:59:59Z', 7200],
    ['2199-10-27T01:00:00Z', 3600],
  ] as const)
    assert.equal(zone.offsetAt(at(instant)), offset, instant)
})

test('a table covers the whole span of the engine and holds no change that changes nothing', () => {
  const { starts, offsets } = zoneTableOf(
    makeTzif({
      transitions: [
        [-5_000_000_000, 1],
        [TABLE_START - 1, 2],
        [100, 2],
        [200, 1],
        [TABLE_END + 5, 2],
      ],
      offsets: [0, 60, 120],
    }),
    'test',
  )
  assert.deepEqual(starts, [TABLE_START, 200])
  assert.deepEqual(offsets, [120, 60])
})

test('rules in every form of POSIX and RFC 8536', () => {
  const days = (rule: string, year: number): string[] =>
    changesIn(year, parseTzRule(rule)).map(change => new Date(change.at * 1_000).toISOString().slice(0, 16))
  assert.deepEqual(parseTzRule('<+0330>-3:30'), { standard: 12_600 })
  assert.deepEqual(days('EST5EDT,M3.2.0,M11.1.0', 2026), ['2026-03-08T07:00', '2026-11-01T06:00'])
  // The southern hemisphere: daylight saving ends first.
  assert.deepEqual(days('NZST-12NZDT,M9.5.0,M4.1.0/3', 2026), ['2026-04-04T14:00', '2026-09-26T14:00'])
  // Negative daylight saving, and times outside the day.
  assert.deepEqual(days('IST-1GMT0,M10.5.0,M3.5.0/1', 2026), ['2026-03-29T01:00', '2026-10-25T01:00'])
  assert.deepEqual(days('<-02>2<-01>,M3.5.0/-1,M10.5.0/0', 2026), ['2026-03-29T01:00', '2026-10-25T01:00'])
  assert.deepEqual(days('AAA0BBB,J60/0,J365/0', 2024), ['2024-03-01T00:00', '2024-12-30T23:00'])
  assert.deepEqual(days('AAA0BBB,59/0,364/0', 2024), ['2024-02-29T00:00', '2024-12-29T23:00'])
})

test('daylight saving all year has no change at all', () => {
  const { starts, offsets } = zoneTableOf(
    makeTzif({ transitions: [[0, 1]], offsets: [-18_000, -14_400], footer: 'EST5EDT,0/0,J365/25' }),
    'test',
  )
  assert.deepEqual(
    [starts, offsets],
    [
      [TABLE_START, 0],
      [-18_000, -14_400],
    ],
  )
})

test('a file that is not what it should be is refused with a reason', () => {
  const good: TzifText = { transitions: [[5, 1], [9, 0]], offsets: [0, 3600], footer: 'AAA0' } // biome-ignore format: one line
  const edited = (edit: (bytes: Buffer) => void): Buffer => {
    const bytes = makeTzif({ ...good, version: 1 })
    edit(bytes)
    return bytes
  }
  const refused: readonly (readonly [Uint8Array, RegExp])[] = [
    [new Uint8Array(), /ends within a header/],
    [Buffer.from('#!/bin/sh\n'.repeat(9)), /does not begin with "TZif"/],
    [edited(bytes => bytes.writeUInt8(0x39, 4)), /version byte is 57/],
    [edited(bytes => bytes.writeUInt32BE(0xffff_ffff, 32)), /ends within its data/],
    [edited(bytes => bytes.writeUInt32BE(0, 36)), /has 0 local time types/],
    [edited(bytes => bytes.writeUInt32BE(0, 40)), /no zone abbreviations/],
    [edited(bytes => bytes.writeUInt32BE(1, 20)), /indicators/],
    [edited(bytes => bytes.writeInt32BE(9, 44)), /do not ascend/],
    [edited(bytes => bytes.writeUInt8(7, 52)), /local time type that is not there/],
    [edited(bytes => bytes.writeInt32BE(86_400, 54)), /offset of 86400 seconds/],
    [edited(bytes => bytes.writeUInt8(2, 58)), /daylight saving flag/],
    [edited(bytes => bytes.writeUInt8(4, 59)), /abbreviation lies outside/],
    [makeTzif({ ...good, leaps: 1 }), /leap seconds/],
    [makeTzif({ ...good, footer: 'AAA-1' }), /footer gives the offset 3600, its last transition 0/],
    [makeTzif({ ...good, footer: 'AAA0BBB' }), /footer "AAA0BBB" is no rule/],
    [makeTzif({ ...good, footer: 'AAA0BBB,M13.1.0,M10.1.0' }), /is no rule/],
    [makeTzif({ ...good, footer: 'AAA0BBB,M3.1.0,M10.1.0,' }), /is no rule/],
    [makeTzif({ ...good, footer: 'AAA-24' }), /footer "AAA-24" is no rule/],
    [makeTzif({ footer: 'AAA-23BBB,M3.5.0,M10.5.0' }), /footer "AAA-23BBB,M3.5.0,M10.5.0" is no rule/],
    [makeTzif({ ...good, footer: `AAA0${' '.repeat(300)}` }), /is no rule/],
    [makeTzif(good).subarray(0, -1), /footer has no line end/],
    [makeTzif(good).subarray(0, -6), /ends before its footer/],
  ]
  for (const [bytes, why] of refused)
    assert.throws(() => zoneTableOf(bytes, 'test'), error => error instanceof TzifError && why.test(error.message)) // biome-ignore format: one line
})

test('every beginning of a file and every flipped bit gives a table or a reason, and no other error', () => {
  const whole = makeTzif({
    transitions: [[at('2020-03-29T01:00:00Z'), 1]],
    offsets: [3600, 7200],
    footer: 'CET-1CEST,M3.5.0,M10.5.0/3',
  })
  const attempt = (bytes: Uint8Array): boolean => {
    try {
      const zone = Zone.fromTable('Test/Zone', zoneTableOf(bytes, 'test'))
      for (let instant = TABLE_START; instant < TABLE_END; instant += 40_000_000)
        assert.ok(Math.abs(zone.offsetAt(instant)) < 86_400)
      return true
    } catch (error) {
      assert.ok(error instanceof TzifError, String(error))
      return false
    }
  }
  for (let length = 0; length < whole.length; length++)
    assert.equal(attempt(whole.subarray(0, length)), false)
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const flipped = Buffer.from(whole)
    flipped[bit >> 3]! ^= 1 << (bit & 7)
    attempt(flipped)
  }
})
