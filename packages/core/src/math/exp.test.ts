import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { bigExp, bigExpm1, relativeError } from '@kron/testkit/core/math/big-reference'
import {
  assertIncreasing,
  assertWithinUlps,
  magnitudes,
  sample,
  signed,
} from '@kron/testkit/core/math/sampling'
import { exp, expm1, expPrecise } from './exp.ts'

test('exp is within one ulp everywhere between overflow and underflow', (t: TestContext) => {
  assertWithinUlps(
    t,
    1,
    sample(8000, 1, random => -745 + 1454.7 * random()),
    exp,
    bigExp,
  )
})

test('exp is correctly rounded for nearly every argument of ordinary size', (t: TestContext) => {
  assertWithinUlps(
    t,
    0.501,
    sample(8000, 2, random => -40 + 80 * random()),
    exp,
    bigExp,
  )
  assertWithinUlps(t, 0.501, sample(8000, 3, signed(magnitudes(1e-18, 1))), exp, bigExp)
})

test('exp is total', () => {
  assert.equal(exp(0), 1)
  assert.equal(exp(-0), 1)
  assert.equal(exp(Infinity), Infinity)
  assert.equal(exp(-Infinity), 0)
  assert.equal(exp(NaN), NaN)
  assert.equal(exp(Number.MAX_VALUE), Infinity)
  assert.equal(exp(-Number.MAX_VALUE), 0)
  assert.equal(exp(Number.MIN_VALUE), 1)
  assert.equal(exp(709.782712893384), 1.7976931348622732e308)
  assert.equal(exp(709.7827128933841), Infinity)
  assert.equal(exp(-745.1332191019411), Number.MIN_VALUE)
  assert.equal(exp(-745.1332191019412), 0)
})

test('exp never decreases', () => {
  assertIncreasing(
    sample(20000, 4, random => -745 + 1454 * random()),
    exp,
  )
  assertIncreasing(
    sample(20000, 5, random => 1e-12 * random()),
    exp,
  )
})

test('expm1 is within one ulp, near 0 as elsewhere', (t: TestContext) => {
  assertWithinUlps(t, 0.51, sample(8000, 6, signed(magnitudes(1e-30, 0.02))), expm1, bigExpm1)
  assertWithinUlps(t, 0.51, sample(8000, 7, signed(magnitudes(0.01, 45))), expm1, bigExpm1)
  assertWithinUlps(
    t,
    1,
    sample(1000, 8, random => 709 * random()),
    expm1,
    bigExpm1,
  )
})

test('expm1 is total', () => {
  assert.equal(expm1(0), 0)
  assert.equal(expm1(-0), -0)
  assert.equal(expm1(Number.MIN_VALUE), Number.MIN_VALUE)
  assert.equal(expm1(Infinity), Infinity)
  assert.equal(expm1(-Infinity), -1)
  assert.equal(expm1(-1000), -1)
  assert.equal(expm1(1000), Infinity)
  assert.equal(expm1(NaN), NaN)
})

test('expm1 never decreases', () => {
  assertIncreasing(sample(20000, 9, signed(magnitudes(1e-20, 50))), expm1)
})

test('expPrecise is good to 72 bits', () => {
  for (const x of sample(4000, 10, random => -745 + 1454 * random())) {
    const { hi, lo, exponent } = expPrecise(x, 0)
    assert.ok(relativeError(hi, lo, exponent, bigExp(x)) < 2 ** -72, `at ${x}`)
  }
})
