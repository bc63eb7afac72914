import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { placeOf } from '../decision/decision.ts'
import { SECOND } from '../time/duration.ts'
import { UTC } from '../zone/zone.ts'
import { type Distribution, type Frame, shapeOf } from './distribution.ts'

const parameter = fc.oneof(fc.double({ min: 1e-3, max: 50, noNaN: true }), fc.constantFrom(1, 2, 3))
const distribution: fc.Arbitrary<Distribution> = fc.oneof(
  fc.constant({ name: 'uniform' as const }),
  parameter.map(shape => ({ name: 'skewEarly' as const, shape })),
  parameter.map(shape => ({ name: 'skewLate' as const, shape })),
  fc.record(
    {
      name: fc.constant('normal' as const),
      mu: fc.constantFrom('nominal' as const, 'start' as const, 'mid' as const, 'end' as const),
      sigma: fc.integer({ min: SECOND, max: 3_600 * SECOND }),
    },
    { requiredKeys: ['name'] },
  ),
  fc.record({
    name: fc.constant('exponential' as const),
    lambda: parameter,
    dir: fc.constantFrom('early' as const, 'late' as const),
  }),
)
const frame: fc.Arbitrary<Frame> = fc.record({
  seconds: fc.integer({ min: 1, max: 744 * 3_600 }),
  nominal: fc.constantFrom(0, 0.5, 1),
  around: fc.boolean(),
  start: fc.constant(0),
  zone: fc.constant(UTC),
})
const unit = fc.nat(2 ** 31 - 1).map(n => n / 2 ** 31)

/** All shapes rise with u, but for the one that the contract mirrors after the draw. */
const falls = (each: Distribution): boolean => each.name === 'exponential' && each.dir === 'late'

test('a larger u is never chosen earlier, and every x stays within the window', () => {
  fc.assert(
    fc.property(
      distribution,
      frame,
      fc.uniqueArray(unit, { minLength: 2, maxLength: 30 }),
      (each, window, units) => {
        const shape = shapeOf(each, window)
        const xs = units.toSorted((a, b) => (falls(each) ? b - a : a - b)).map(u => placeOf(shape, u))
        for (const [i, x] of xs.entries()) {
          assert.ok(x >= 0 && x < 1, `${x}`)
          if (i > 0) assert.ok(x >= xs[i - 1]! - 1e-12, `${xs[i - 1]} then ${x}`)
        }
      },
    ),
    { numRuns: 3_000, seed: 1 },
  )
})

test('the cumulative distribution of where u falls is u', () => {
  fc.assert(
    fc.property(distribution, frame, unit, (each, window, u) => {
      const { quantile, cdf } = shapeOf(each, window)
      const x = placeOf({ quantile, cdf }, u)
      // Where the curve is nearly a step, x cannot tell one u from the next.
      const step = 1e-9
      const steep = cdf(Math.min(1, x + step)) - cdf(Math.max(0, x - step))
      assert.ok(Math.abs(cdf(x) - (falls(each) ? 1 - u : u)) <= 1e-9 + steep, `${u} → ${x} → ${cdf(x)}`)
    }),
    { numRuns: 3_000, seed: 2 },
  )
})

test('the cumulative distribution runs from 0 to 1', () => {
  fc.assert(
    fc.property(distribution, frame, (each, window) => {
      const { cdf } = shapeOf(each, window)
      assert.ok(Math.abs(cdf(0)) < 1e-12 && Math.abs(cdf(1) - 1) < 1e-12)
    }),
    { numRuns: 1_000, seed: 3 },
  )
})
