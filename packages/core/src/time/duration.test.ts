import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, value } from '@kron/testkit/reading'
import fc from 'fast-check'
import { HOUR, MINUTE, parseDuration, printDuration, SECOND } from './duration.ts'

test('durations are read as Go reads them', () => {
  const meant: Readonly<Record<string, number>> = {
    '0': 0,
    '0s': 0,
    '0h0m0s': 0,
    '300ms': 300_000_000,
    '90s': 90 * SECOND,
    '1h30m': HOUR + 30 * MINUTE,
    '1.5h': HOUR + 30 * MINUTE,
    '1h0m0s': HOUR,
    '2h45m30.5s': 2 * HOUR + 45 * MINUTE + 30_500_000_000,
    '.5s': 500_000_000,
    '1.s': SECOND,
    '5us': 5_000,
    '5µs': 5_000,
    '5μs': 5_000,
    '7ns': 7,
    '0.3ns': 0,
    '1.9ns': 1,
    '1s1m': MINUTE + SECOND,
    '007s': 7 * SECOND,
    '0.000000001s': 1,
    '0.1234567899s': 123_456_789,
    '744h': 744 * HOUR,
  }
  for (const [text, ns] of Object.entries(meant)) assert.equal(value(parseDuration(text)), ns, text)
})

test('digits without end after the point say nothing more', () => {
  assert.equal(value(parseDuration(`0.${'1'.repeat(5_000)}h`)), 399_999_999_999)
  assert.equal(value(parseDuration(`0.${'0'.repeat(5_000)}1h`)), 0)
})

const WRITE = 'write for example 90s, 1h30m or 24h'
const UNITS = 'units are ns us ms s m h'

test('a text that is no duration is refused where it goes wrong, with advice', () => {
  const wrong: [text: string, reason: string, at: number, length: number, hint: string][] = [
    ['', 'nothing is written', 0, 0, WRITE],
    ['-5m', 'a sign is not allowed', 0, 1, 'durations are never negative'],
    ['+5m', 'a sign is not allowed', 0, 1, 'write it without a sign'],
    ['30', 'a number without a unit', 0, 2, `${WRITE}; ${UNITS}`],
    ['1h30', 'a number without a unit', 2, 2, `${WRITE}; ${UNITS}`],
    ['00', 'a number without a unit', 0, 2, `${WRITE}; ${UNITS}`],
    ['1..5s', 'a number without a unit', 0, 2, `${WRITE}; ${UNITS}`],
    ['1d', 'unknown unit "d"', 1, 1, 'days and weeks have no fixed length: write 24h or 168h'],
    ['2w', 'unknown unit "w"', 1, 1, 'days and weeks have no fixed length: write 24h or 168h'],
    ['2h5min', 'unknown unit "min"', 3, 3, UNITS],
    ['1H', 'unknown unit "H"', 1, 1, UNITS],
    ['1e3s', 'unknown unit "e"', 1, 1, UNITS],
    ['5toString', 'unknown unit "toString"', 1, 8, UNITS],
    ['1h 30m', 'expected a number, found " "', 2, 1, WRITE],
    ['h', 'expected a number, found "h"', 0, 1, WRITE],
    ['.s', 'expected a number, found "."', 0, 1, WRITE],
    ['NaN', 'expected a number, found "N"', 0, 1, WRITE],
    ['５s', 'expected a number, found "５"', 0, 1, WRITE],
  ]
  for (const [text, reason, at, length, hint] of wrong) {
    const message = `${JSON.stringify(text)} is not a duration: ${reason}`
    assert.deepEqual(faultsOf(parseDuration(text)), [
      { category: 'ConfigurationError', message, hint, at, length },
    ])
  }
})

test('an absurd duration is refused rather than rounded', () => {
  for (const text of ['3000h', '9007199254740992ns', '1e9h'.replace('e9', '0'.repeat(400)), '2502h30m']) {
    const [fault] = faultsOf(parseDuration(text))
    assert.equal(fault?.category, 'ValidationError')
    assert.match(fault!.message, /is too long a duration: the most that can be held is about 104 days$/)
    assert.deepEqual([fault?.at, fault?.length, fault?.hint], [0, text.length, 'write at most 744h'])
  }
  assert.equal(value(parseDuration('9007199254740991ns')), Number.MAX_SAFE_INTEGER)
})

test('a printed duration is read back as the same', () => {
  const near = fc
    .tuple(
      fc.constantFrom(1_000, 1_000_000, SECOND, MINUTE, HOUR, 744 * HOUR),
      fc.integer({ min: -3, max: 3 }),
    )
    .map(([unit, by]) => unit + by)
  fc.assert(
    fc.property(fc.oneof(fc.nat(5_000_000), fc.maxSafeNat(), near), ns => {
      assert.equal(value(parseDuration(printDuration(ns))), ns)
    }),
    { numRuns: 5_000, seed: 1 },
  )
})

test('durations are printed in the units people use', () => {
  const printed: [number, string][] = [
    [0, '0s'],
    [1, '1ns'],
    [1_500, '1.5us'],
    [300_000_000, '300ms'],
    [SECOND, '1s'],
    [1_500_000_000, '1.5s'],
    [90 * MINUTE, '1h30m'],
    [744 * HOUR, '744h'],
    [HOUR + 1, '1h0.000000001s'],
  ]
  for (const [ns, text] of printed) assert.equal(printDuration(ns), text)
})

test('no text makes the parser throw, and a fault lies inside the text', () => {
  const piece = fc.oneof(
    fc.constantFrom('1', '05', '.', 'h', 'ms', 'µs', '-', ' ', '9'.repeat(20)),
    fc.string({ maxLength: 3 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
      const text = pieces.join('')
      const result = parseDuration(text)
      if (result.ok) assert.ok(Number.isSafeInteger(result.value) && result.value >= 0)
      else
        for (const { at, length } of result.faults)
          assert.ok(at >= 0 && length >= 0 && at + length <= text.length)
    }),
    { numRuns: 5_000, seed: 2 },
  )
})
