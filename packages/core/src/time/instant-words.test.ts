import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EARLIEST, LAST_PRINTABLE, printInstant } from './instant.ts'
import { putInstant } from './instant-words.ts'

test('the words of an instant are the characters that are printed', () => {
  const words = new Int32Array(5)
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.boolean(), (n, half) => {
      const at = EARLIEST + (Math.abs(n) % (LAST_PRINTABLE - EARLIEST)) + (half ? 0.5 : 0)
      putInstant(at, words)
      const text = Buffer.alloc(20)
      words.forEach((word, i) => {
        text.writeInt32BE(word, i * 4)
      })
      assert.equal(text.toString('latin1'), printInstant(at))
    }),
    {
      numRuns: 5_000,
      seed: 1,
      examples: [
        [EARLIEST, false],
        [LAST_PRINTABLE - 1, true],
      ],
    },
  )
})
