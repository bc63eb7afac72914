import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exponentOf, powerOfTwo, scaleByPowerOfTwo } from './bits.ts'

const positive = fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true })

test('powerOfTwo gives every normal power of two', () => {
  for (let n = -1022; n <= 1023; n++) assert.equal(powerOfTwo(n), 2 ** n)
})

test('exponentOf brackets a number between two powers of two', () => {
  fc.assert(
    fc.property(positive, x => {
      const e = exponentOf(x)
      assert.ok(2 ** e <= x && x < 2 ** e * 2)
    }),
  )
  assert.equal(exponentOf(Number.MIN_VALUE), -1074)
  assert.equal(exponentOf(2 ** -1022), -1022)
  assert.equal(exponentOf(2 ** -1022 - 2 ** -1074), -1023)
  assert.equal(exponentOf(Number.MAX_VALUE), 1023)
})

test('scaleByPowerOfTwo undoes exponentOf without loss', () => {
  fc.assert(
    fc.property(positive, x => {
      const e = exponentOf(x)
      const significand = scaleByPowerOfTwo(x, -e)
      assert.ok(significand >= 1 && significand < 2)
      assert.equal(scaleByPowerOfTwo(significand, e), x)
    }),
  )
})

test('scaleByPowerOfTwo rounds a subnormal result once and overflows to infinity', () => {
  assert.equal(scaleByPowerOfTwo(1.5, -1074), 2 ** -1073)
  assert.equal(scaleByPowerOfTwo(1, -1075), 0)
  assert.equal(scaleByPowerOfTwo(1 + 2 ** -52, -1075), 2 ** -1074)
  assert.equal(scaleByPowerOfTwo(0.75, 1024), 0.75 * 2 ** 1023 * 2)
  assert.equal(scaleByPowerOfTwo(1, 1024), Infinity)
})
