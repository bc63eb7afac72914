import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeFrame, FrameReader, fieldsOf, LENGTH_BYTES, LONGEST_FRAME } from './frames.ts'

const field = fc.string({ unit: 'grapheme', maxLength: 20 }).filter(text => !text.includes('\0'))

test('frames arrive whole and in order, however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(field, { minLength: 1, maxLength: 5 }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (frames, cuts) => {
        const stream = Buffer.concat(frames.map(encodeFrame))
        const received: string[][] = []
        const reader = new FrameReader(payload => received.push(fieldsOf(payload)))
        for (let at = 0, cut = 0; at < stream.length; cut++) {
          const size = cuts[cut % cuts.length]!
          reader.push(stream.subarray(at, at + size))
          at += size
        }
        assert.deepEqual(received, frames)
      },
    ),
  )
})

test('the last of a limited number of fields is the rest, NUL bytes included', () => {
  const payload = Buffer.from('output\x001\x00out\x000\x00a\0b\0')
  assert.deepEqual(fieldsOf(payload, 5), ['output', '1', 'out', '0', 'a\0b\0'])
})

test('a length that breaks the protocol is refused, in both directions', () => {
  for (const length of [0, LONGEST_FRAME + 1, 0xffffffff]) {
    const bytes = Buffer.alloc(LENGTH_BYTES)
    bytes.writeUInt32LE(length)
    assert.throws(() => new FrameReader(() => {}).push(bytes), RangeError)
  }
  assert.throws(() => encodeFrame(['x'.repeat(LONGEST_FRAME)]), RangeError)
})
