import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { bigNormalCdf, bigNormalQuantile } from '@kron/testkit/core/math/big-reference'
import {
  assertIncreasing,
  assertWithinUlps,
  magnitudes,
  sample,
  signed,
} from '@kron/testkit/core/math/sampling'
import { normalCdf, normalQuantile } from './normal.ts'

const expectedQuantile = (p: number) => bigNormalQuantile(p, normalQuantile(p))
const nearHalf = (random: () => number): number => 0.5 + signed(magnitudes(2 ** -54, 0.25))(random)
const nearOne = (random: () => number): number => 1 - magnitudes(2 ** -53, 0.5)(random)

test('Φ is within one ulp from −6 to 9', (t: TestContext) => {
  assertWithinUlps(
    t,
    0.501,
    sample(8000, 1, random => -6 + 15 * random()),
    normalCdf,
    bigNormalCdf,
  )
})

test('Φ is within one ulp in the far tail, down to the smallest double', (t: TestContext) => {
  assertWithinUlps(
    t,
    1,
    sample(5000, 2, random => -38.5 * random()),
    normalCdf,
    bigNormalCdf,
  )
})

test('Φ is within one ulp next to 0', (t: TestContext) => {
  assertWithinUlps(t, 0.501, sample(4000, 3, signed(magnitudes(1e-20, 0.5))), normalCdf, bigNormalCdf)
})

test('Φ is total', () => {
  assert.equal(normalCdf(0), 0.5)
  assert.equal(normalCdf(-0), 0.5)
  assert.equal(normalCdf(-Infinity), 0)
  assert.equal(normalCdf(Infinity), 1)
  assert.equal(normalCdf(-1e6), 0)
  assert.equal(normalCdf(1e6), 1)
  assert.equal(normalCdf(-38.6), 0)
  assert.equal(normalCdf(-38.4), 13 * Number.MIN_VALUE)
  assert.equal(normalCdf(8.3), 1)
  assert.equal(normalCdf(NaN), NaN)
})

test('Φ never decreases', () => {
  assertIncreasing(
    sample(20000, 4, random => -38.6 + 48 * random()),
    normalCdf,
  )
  for (let j = 0; j <= 41; j++) {
    const middle = (j - 0.5) / 8
    const across = sample(50, 5, random => -middle + 1e-14 * (random() - 0.5))
    assertIncreasing(across, normalCdf)
  }
})

test('Φ⁻¹ is within four ulps, in fact within one, over the samples of the generator', (t: TestContext) => {
  const samples = sample(10000, 6, random => random())
  assertWithinUlps(t, 0.51, samples, normalQuantile, expectedQuantile)
})

test('Φ⁻¹ is within four ulps, in fact within one, next to ½', (t: TestContext) => {
  assertWithinUlps(t, 0.51, sample(6000, 7, nearHalf), normalQuantile, expectedQuantile)
})

test('Φ⁻¹ is within four ulps, in fact within one, in both tails', (t: TestContext) => {
  assertWithinUlps(t, 0.51, sample(5000, 8, magnitudes(2 ** -1074, 0.5)), normalQuantile, expectedQuantile)
  assertWithinUlps(t, 0.51, sample(4000, 9, nearOne), normalQuantile, expectedQuantile)
  const ends = [2 ** -1074, 2 ** -1073, 2 ** -1022, 2 ** -53, 1 - 2 ** -53, 0.5 - 2 ** -54, 0.5 + 2 ** -53]
  assertWithinUlps(t, 0.51, ends, normalQuantile, expectedQuantile)
})

test('Φ⁻¹ is total', () => {
  assert.equal(normalQuantile(0), -Infinity)
  assert.equal(normalQuantile(-0), -Infinity)
  assert.equal(normalQuantile(1), Infinity)
  assert.equal(normalQuantile(0.5), 0)
  assert.equal(normalQuantile(-Number.MIN_VALUE), NaN)
  assert.equal(normalQuantile(1 + 2 ** -52), NaN)
  assert.equal(normalQuantile(NaN), NaN)
})

test('Φ⁻¹ is odd about ½', () => {
  for (const p of sample(5000, 10, random => random())) {
    const mirrored = 1 - p
    if (1 - mirrored === p) assert.equal(normalQuantile(mirrored) + normalQuantile(p), 0)
  }
})

test('Φ⁻¹ never decreases, across its change of method too', () => {
  assertIncreasing(
    sample(20000, 11, random => random()),
    normalQuantile,
  )
  assertIncreasing(sample(5000, 12, magnitudes(2 ** -1074, 0.4)), normalQuantile)
  for (const change of [0.5 - 1 / 128, 0.5 + 1 / 128]) {
    assertIncreasing(
      sample(500, 13, random => change + 1e-13 * (random() - 0.5)),
      normalQuantile,
    )
  }
})
