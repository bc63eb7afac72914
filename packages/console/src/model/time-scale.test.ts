import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { atOf, ticks, xOf } from './time-scale.ts'

const scales = fc
  .record({
    from: fc.nat(4e9),
    span: fc.integer({ min: 3_600, max: 604_800 }),
    width: fc.integer({ min: 200, max: 3_000 }),
  })
  .map(({ from, span, width }) => ({ from, to: from + span, width }))

test('pixels and instants are two ways to say the same', () => {
  fc.assert(
    fc.property(scales, fc.integer({ min: 0, max: 200 }), (scale, x) => {
      assert.ok(Math.abs(xOf(scale, atOf(scale, x)) - x) < 1e-3)
    }),
  )
})

test('labels lie within, keep their distance, and fall on round local times', () => {
  fc.assert(
    fc.property(scales, fc.constantFrom(0, 3_600, -18_000, 19_800), (scale, offset) => {
      const found = ticks(scale, 90, offset)
      for (const [i, at] of found.entries()) {
        assert.ok(at >= scale.from && at <= scale.to)
        assert.equal(Math.abs((at + offset) % 60), 0)
        if (i > 0) assert.ok(xOf(scale, at) - xOf(scale, found[i - 1]!) > 89.9 || scale.width < 700)
      }
    }),
  )
})
