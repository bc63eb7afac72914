import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bigNormalCdf, bigNormalDensity, relativeError } from '@kron/testkit/core/math/big-reference'
import { sample } from '@kron/testkit/core/math/sampling'
import { normalTail } from './normal-tail.ts'

const points = [
  ...sample(3000, 1, random => 6 * random()),
  ...sample(2000, 2, random => 38.6 * random()),
  ...Array.from({ length: 41 }, (_, j) => j / 8),
  ...Array.from({ length: 40 }, (_, j) => (j + 0.5) / 8),
]

test('the tail is good to 64 bits, at the nodes, between them and beyond them', () => {
  for (const t of points) {
    const { hi, lo, exponent } = normalTail(t)
    assert.ok(relativeError(hi, lo, exponent, bigNormalCdf(-t)) < 2 ** -64, `at ${t}`)
  }
})

test('the density beside it is good to 50 bits', () => {
  for (const t of points) {
    const { density, exponent } = normalTail(t)
    assert.ok(relativeError(density, 0, exponent, bigNormalDensity(t)) < 2 ** -50, `at ${t}`)
  }
})
