import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactly } from '@kron/testkit/core/math/big-reference'
import fc from 'fast-check'
import { productError, sumError } from './double-double.ts'

const ordinary = fc
  .tuple(fc.double({ min: 1, max: 2, noNaN: true }), fc.integer({ min: -200, max: 200 }), fc.boolean())
  .map(([significand, exponent, negative]) => (negative ? -1 : 1) * significand * 2 ** exponent)

/** A double as a multiple of 2^−2200, so that sums and products compare as integers. */
const units = (x: number): bigint => {
  const { mantissa, exponent } = exactly(x)
  return mantissa << BigInt(exponent + 2200)
}

test('a sum and its error add up to the exact sum', () => {
  fc.assert(
    fc.property(ordinary, ordinary, (a, b) => {
      const sum = a + b
      assert.equal(units(sum) + units(sumError(a, b, sum)), units(a) + units(b))
    }),
  )
})

test('a product and its error add up to the exact product', () => {
  fc.assert(
    fc.property(ordinary, ordinary, (a, b) => {
      const product = a * b
      const exact = units(a) * units(b)
      assert.equal((units(product) + units(productError(a, b, product))) << 2200n, exact)
    }),
  )
})
