import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstWords, sha256 } from './sha256.ts'

const expected = (text: string): string => hash('sha256', text, 'hex')

test("the hash of every length of up to 200 bytes is the platform's", () => {
  for (let bytes = 0; bytes <= 200; bytes++) {
    const text = 'kron'.repeat(50).slice(0, bytes)
    assert.equal(sha256(text), expected(text), `${bytes} bytes`)
  }
})

test('texts of every width of UTF-8 meet block ends at every place', () => {
  for (const unit of ['a', 'é', '漢', '😀', 'a漢', 'é😀']) {
    for (let count = 0; count <= 70; count++) {
      const text = unit.repeat(count)
      assert.equal(sha256(text), expected(text), `${count} times ${unit}`)
    }
  }
})

test('the first and the last character of every width of UTF-8 have their own', () => {
  for (const code of [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff]) {
    const text = String.fromCodePoint(code)
    assert.equal(sha256(text), expected(text), code.toString(16))
  }
})

test('lone surrogates are hashed as the replacement character', () => {
  for (const text of [
    '\ud800',
    '\udc00',
    'a\ud800',
    '\ud800a',
    '\udc00\ud800',
    '\ud800\ud800\udc00',
    '\ud83d😀\ude00',
  ]) {
    assert.equal(sha256(text), expected(text), JSON.stringify(text))
  }
})

test("any text, with any mixture of code units, has the platform's hash", () => {
  const units = fc.array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff })), {
    maxLength: 200,
  })
  fc.assert(
    fc.property(units, codes => {
      const text = String.fromCharCode(...codes)
      assert.equal(sha256(text), expected(text))
    }),
    { numRuns: 3_000, seed: 1 },
  )
})

test('a long text is hashed as well', () => {
  const text = '€'.repeat(1_000_000)
  assert.equal(sha256(text), expected(text))
})

test('the first words of lines are those of the lines joined by newlines', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { minLength: 1, maxLength: 4 }),
      lines => {
        const { high, low } = firstWords(lines)
        const digest = BigInt(`0x${expected(lines.join('\n')).slice(0, 16)}`)
        assert.equal((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0), digest)
      },
    ),
    { numRuns: 1_000, seed: 2 },
  )
})
