import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { generatorFrom, nextUnit } from './splitmix64.ts'

const MASK = (1n << 64n) - 1n

/** The algorithm as it is written down, on whole numbers of 64 bits. */
function* reference(seed: bigint): Generator<bigint, never> {
  for (let x = seed; ; ) {
    x = (x + 0x9e3779b97f4a7c15n) & MASK
    let z = x
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK
    yield z ^ (z >> 31n)
  }
}

function agrees(seed: bigint, count: number): void {
  const generator = generatorFrom(seed.toString(16).padStart(16, '0') + 'f'.repeat(48))
  const expected = reference(seed)
  for (let i = 0; i < count; i++) {
    const u = nextUnit(generator)
    assert.equal(u, Number(expected.next().value >> 11n) / 2 ** 53)
    assert.ok(u >= 0 && u < 1)
  }
}

test('the published first outputs of seed 0 come out', () => {
  const outputs = [0xe220a8397b1dcdafn, 0x6e789e6aa1b965f4n, 0x06c45d188009454fn]
  const generator = generatorFrom('0'.repeat(64))
  for (const output of outputs) assert.equal(nextUnit(generator), Number(output >> 11n) / 2 ** 53)
})

test('a hundred outputs of any seed are those of the whole-number reference', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: MASK }), seed => agrees(seed, 100)),
    { numRuns: 500, seed: 1 },
  )
})

test('carries and sign bits of the halves are right', () => {
  for (const high of [0n, 1n, 0x7fffffffn, 0x80000000n, 0xffffffffn]) {
    for (const low of [0n, 1n, 0x7fffffffn, 0x80000000n, 0x80b583ean, 0x80b583ebn, 0xffffffffn]) {
      agrees((high << 32n) | low, 20)
    }
  }
})
