import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { bigPow } from '@kron/testkit/core/math/big-reference'
import { assertIncreasing, assertWithinUlps, magnitudes, sample } from '@kron/testkit/core/math/sampling'
import fc from 'fast-check'
import { pow } from './pow.ts'

type Pair = readonly [base: number, exponent: number]

const pairs = (bases: readonly number[], exponents: readonly number[]): Pair[] =>
  bases.map((base, i): Pair => [base, exponents[i]!]).filter(([base, exponent]) => base > 0 && exponent > 0)

/** Left out: pairs so far below the smallest double that the reference itself has no digits left. */
const representable = ([base, exponent]: Pair): boolean => exponent * Math.log(base) > -745

const check = (t: TestContext, limit: number, points: readonly Pair[]): void =>
  assertWithinUlps(
    t,
    limit,
    points.filter(representable),
    ([base, exponent]) => pow(base, exponent),
    ([base, exponent]) => bigPow(base, exponent),
  )

const unit = (count: number, seed: number): number[] => sample(count, seed, random => random())

test('pow is within one ulp for samples raised to practical shapes', (t: TestContext) => {
  check(t, 1, pairs(unit(10000, 1), sample(10000, 2, magnitudes(1e-3, 1e3))))
  check(
    t,
    0.501,
    pairs(
      unit(4000, 3),
      sample(4000, 4, random => 0.1 + 5 * random()),
    ),
  )
})

test('pow is within one ulp for the smallest and the largest samples', (t: TestContext) => {
  check(t, 1, pairs(sample(3000, 5, magnitudes(2 ** -53, 1)), sample(3000, 6, magnitudes(1e-3, 30))))
  const almostOne = sample(3000, 7, random => 1 - magnitudes(2 ** -53, 2 ** -10)(random))
  check(t, 1, pairs(almostOne, sample(3000, 8, magnitudes(1, 1e15))))
})

test('pow is within one ulp for whole exponents and roots', (t: TestContext) => {
  for (const exponent of [0.25, 0.5, 1.5, 3, 4, 5, 7, 10, 20]) {
    check(t, 0.501, pairs(unit(400, 9), Array<number>(400).fill(exponent)))
  }
})

test('pow with exponent 1 and 2 is the number and its square', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), u => {
      assert.equal(pow(u, 1), u)
      assert.equal(pow(u, 2), u * u)
    }),
  )
})

test('pow of a power of two is exact', () => {
  for (let n = 1; n <= 53; n++) {
    assert.equal(pow(2 ** -n, 3), 2 ** (-3 * n))
    assert.equal(pow(2 ** (-2 * n), 0.5), 2 ** -n)
  }
})

test('pow is total', () => {
  for (const exponent of [Number.MIN_VALUE, 1e-300, 0.5, 1, 2, 1e300, Number.MAX_VALUE, Infinity]) {
    assert.equal(pow(0, exponent), 0)
    assert.equal(pow(1, exponent), 1)
  }
  assert.equal(pow(1 - 2 ** -53, Number.MAX_VALUE), 0)
  assert.equal(pow(2 ** -53, Number.MIN_VALUE), 1)
  assert.equal(pow(0.5, 1074), Number.MIN_VALUE)
  assert.equal(pow(0.5, 1076), 0)
  assert.equal(pow(0.5, 0), 1)
  assert.equal(pow(0, 0), 1)
  assert.equal(pow(0, -1), Infinity)
  assert.equal(pow(0.5, -1024), Infinity)
  assert.equal(pow(0.5, -3), 8)
  assert.equal(pow(Infinity, 3), Infinity)
  assert.equal(pow(Infinity, -3), 0)
  assert.equal(pow(0.5, Infinity), 0)
  assert.equal(pow(-0.5, 2), NaN)
  assert.equal(pow(NaN, 2), NaN)
  assert.equal(pow(0.5, NaN), NaN)
})

test('pow of a sample is in [0, 1] for every positive shape', () => {
  const sampleOfGenerator = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }).map(k => Number(k) / 2 ** 53)
  fc.assert(
    fc.property(sampleOfGenerator, fc.double({ min: Number.MIN_VALUE, noNaN: true }), (u, shape) => {
      const x = pow(u, shape)
      assert.ok(x >= 0 && x <= 1)
    }),
  )
})

test('pow never decreases with the base', () => {
  for (const exponent of [0.01, 0.5, 1.7, 3, 40]) {
    assertIncreasing(
      sample(4000, 10, random => random()),
      base => pow(base, exponent),
    )
  }
})
