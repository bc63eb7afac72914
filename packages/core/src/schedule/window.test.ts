import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HOUR, MINUTE, SECOND } from '../time/duration.ts'
import { endOffset, startOffset, type WindowMode } from './window.ts'

const bounds = (mode: WindowMode, duration: number) => [
  startOffset({ mode, duration }),
  endOffset({ mode, duration }),
]

test('a window lies after, around or before its nominal time', () => {
  assert.deepEqual(bounds('after', 2 * HOUR), [0, 7_200])
  assert.deepEqual(bounds('around', 2 * HOUR), [-3_600, 3_600])
  assert.deepEqual(bounds('before', 2 * HOUR), [-7_200, 0])
})

test('bounds between two seconds are floored', () => {
  const odd = HOUR + MINUTE + SECOND
  assert.deepEqual(bounds('around', odd), [-1_831, 1_830])
  assert.deepEqual(bounds('after', 1_999_999_999), [0, 1])
  assert.deepEqual(bounds('before', 1_000_000_001), [-2, 0])
  assert.deepEqual(bounds('around', 2 * SECOND + 1), [-1, 1])
  assert.deepEqual(bounds('around', 2 * SECOND + 2), [-2, 1])
  assert.deepEqual(bounds('around', 2 * SECOND - 1), [-1, 1])
})

test('a window shorter than a second may still hold two', () => {
  assert.deepEqual(bounds('after', 0), [0, 0])
  assert.deepEqual(bounds('around', 0), [0, 0])
  assert.deepEqual(bounds('before', 0), [0, 0])
  assert.deepEqual(bounds('around', 1), [0, 0])
  assert.deepEqual(bounds('around', 2), [-1, 0])
  assert.deepEqual(bounds('before', 1), [-1, 0])
})

test('every duration is floored as whole-number arithmetic floors it', () => {
  const floored = (ns: bigint): number =>
    Number((ns - (((ns % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n)) / 1_000_000_000n)
  const duration = fc.oneof(
    fc.integer({ min: 0, max: 744 * HOUR }),
    fc
      .tuple(fc.integer({ min: 0, max: 744 * 3_600 }), fc.integer({ min: -2, max: 2 }))
      .map(([s, ns]) => Math.max(0, s * SECOND + ns)),
  )
  fc.assert(
    fc.property(duration, length => {
      const d = BigInt(length)
      assert.deepEqual(bounds('after', length), [0, floored(d)])
      assert.deepEqual(bounds('around', length), [floored(-(d / 2n)), floored(d - d / 2n)])
      assert.deepEqual(bounds('before', length), [floored(-d), 0])
    }),
    { numRuns: 10_000, seed: 1 },
  )
})
