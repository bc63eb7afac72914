import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { bigLog, bigLog1p, relativeError } from '@kron/testkit/core/math/big-reference'
import {
  assertIncreasing,
  assertWithinUlps,
  magnitudes,
  sample,
  signed,
} from '@kron/testkit/core/math/sampling'
import { log, log1p, logPrecise } from './log.ts'

const nearOne = (random: () => number): number => 1 + signed(magnitudes(2 ** -52, 0.5))(random)

test('log is within one ulp over all positive doubles', (t: TestContext) => {
  assertWithinUlps(t, 0.501, sample(6000, 1, magnitudes(2 ** -1074, 1.7e308)), log, bigLog)
  assertWithinUlps(
    t,
    0.501,
    sample(6000, 2, random => 1 - random()),
    log,
    bigLog,
  )
})

test('log keeps its accuracy next to 1', (t: TestContext) => {
  assertWithinUlps(t, 0.501, sample(6000, 3, nearOne), log, bigLog)
  assert.equal(log(1), 0)
})

test('log is total', () => {
  assert.equal(log(0), -Infinity)
  assert.equal(log(-0), -Infinity)
  assert.equal(log(-1), NaN)
  assert.equal(log(-Infinity), NaN)
  assert.equal(log(NaN), NaN)
  assert.equal(log(Infinity), Infinity)
  assert.equal(log(Number.MIN_VALUE), -744.4400719213812)
})

test('log never decreases', () => {
  assertIncreasing(sample(20000, 4, magnitudes(2 ** -1074, 1.7e308)), log)
  assertIncreasing(sample(20000, 5, nearOne), log)
})

test('log1p is within one ulp, near 0 as elsewhere', (t: TestContext) => {
  assertWithinUlps(t, 0.501, sample(6000, 6, signed(magnitudes(1e-30, 0.9))), log1p, bigLog1p)
  assertWithinUlps(
    t,
    0.501,
    sample(6000, 7, random => -random()),
    log1p,
    bigLog1p,
  )
  assertWithinUlps(t, 0.501, sample(2000, 8, magnitudes(0.5, 1e30)), log1p, bigLog1p)
})

test('log1p is total', () => {
  assert.equal(log1p(0), 0)
  assert.equal(log1p(-0), -0)
  assert.equal(log1p(-1), -Infinity)
  assert.equal(log1p(-2), NaN)
  assert.equal(log1p(NaN), NaN)
  assert.equal(log1p(Infinity), Infinity)
  assert.equal(log1p(Number.MIN_VALUE), Number.MIN_VALUE)
})

test('log1p never decreases', () => {
  assertIncreasing(sample(20000, 9, signed(magnitudes(1e-20, 0.99))), log1p)
})

test('logPrecise is good to 80 bits', () => {
  const points = [...sample(3000, 10, magnitudes(1e-300, 1e300)), ...sample(3000, 11, nearOne)]
  for (const x of points) {
    if (x === 1) continue
    const { hi, lo } = logPrecise(x, 0)
    assert.ok(relativeError(hi, lo, 0, bigLog(x)) < 2 ** -80, `at ${x}`)
  }
})
