import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { LAST_PRINTABLE, printInstant } from '../time/instant.ts'
import { beginningOf, firstWords, firstWordsAfter, sha256 } from './sha256.ts'

const expected = (text: string): string => hash('sha256', text, 'hex')
const hexOf = ({ high, low }: { high: number; low: number }): string =>
  ((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)).toString(16).padStart(16, '0')

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
    for (const rest of ['', '\0\0\0\0']) {
      const text = String.fromCodePoint(code) + rest
      assert.equal(sha256(text), expected(text), code.toString(16))
    }
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

test('the padding of 512 MiB counts more bits than fit into one word', () => {
  // The state after all blocks but the last of 512 MiB of the letter k; the hash is that of `node:crypto`.
  const state = [
    0xa96bc788, 0x03d484e0, 0xe167b356, 0xec63a020, 0x60e45ba9, 0x5b71267d, 0xfe26af04, 0x0e746cc6,
  ]
  const into = { high: 0, low: 0 }
  const beginning = { words: new Int32Array(16), state: Int32Array.from(state), length: 2 ** 29 - 64 }
  firstWordsAfter(beginning, 'k'.repeat(64), into)
  assert.equal(hexOf(into), '407fbcf569f5ab9a')
})

const aText = fc.string({ unit: 'binary', maxLength: 60 })

test('the first words of three lines are those of the lines joined by newlines', () => {
  fc.assert(
    fc.property(aText, aText, aText, (first, second, third) => {
      const digest = expected(`${first}\n${second}\n${third}`)
      assert.equal(hexOf(firstWords(first, second, third)), digest.slice(0, 16))
    }),
    { numRuns: 1_000, seed: 2 },
  )
})

test('an instant among the lines is hashed as it is printed, at every place of a block', () => {
  for (let bytes = 0; bytes <= 130; bytes++) {
    const first = 'kron'.repeat(33).slice(0, bytes)
    for (const at of [0, 951_782_399, 1_772_323_200 + bytes * 3_661, LAST_PRINTABLE])
      assert.deepEqual(firstWords(first, at, ''), firstWords(first, printInstant(at), ''), `${bytes} ${at}`)
  }
})

test('a beginning and the rest have the hash of the whole text, wherever it is divided', () => {
  const into = { high: 0, low: 0 }
  for (const text of ['kron'.repeat(40), 'é漢kro'.repeat(20)]) {
    for (let end = 0; end <= text.length; end++) {
      const beginning = beginningOf(text.slice(0, end))
      sha256(`another text ${end}`.repeat(20))
      firstWordsAfter(beginning, text.slice(end), into)
      assert.equal(hexOf(into), expected(text).slice(0, 16), `${end} of ${text}`)
    }
  }
})
