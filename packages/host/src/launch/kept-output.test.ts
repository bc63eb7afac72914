import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { parseKeptOutput } from './kept-output.ts'

interface Layout {
  readonly keep?: number
  readonly head?: Buffer
  readonly ring?: Buffer
  readonly ringStart?: number
  readonly ringUsed?: number
  readonly total: number
}

const record = (stream: number, text: string): Buffer => {
  const header = Buffer.alloc(4)
  header[0] = stream
  header.writeUIntLE(text.length, 1, 3)
  return Buffer.concat([header, Buffer.from(text)])
}

function file({
  keep = 80,
  head = Buffer.alloc(0),
  ring = Buffer.alloc(0),
  ringStart = 0,
  ringUsed = ring.length,
  total,
}: Layout): Buffer {
  const bytes = Buffer.alloc(64 + keep)
  bytes.write('kron-output 1\n', 'latin1')
  for (const [index, value] of [keep, head.length, ringStart, ringUsed, total].entries())
    bytes.writeBigUInt64LE(BigInt(value), 16 + index * 8)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60)
  head.copy(bytes, 64)
  ring.copy(bytes, 64 + Math.floor(keep / 2))
  return bytes
}

const shown = (bytes: Buffer): unknown =>
  parseKeptOutput(bytes)?.pieces.map(piece =>
    'data' in piece ? `${piece.kind} ${piece.data}` : `gap ${piece.bytes}`,
  )

test('output that fits is whole, in order, with its stream', () => {
  const head = Buffer.concat([record(1, 'one\n'), record(2, 'oops\n'), record(1, 'two\n')])
  assert.deepEqual(shown(file({ head, total: 13 })), ['out one\n', 'err oops\n', 'out two\n'])
})

test('between the beginning and the latest is a gap of what was not kept', () => {
  const head = record(1, 'beginning')
  const ring = record(1, 'end')
  assert.deepEqual(shown(file({ head, ring, total: 1_000 })), ['out beginning', 'gap 988', 'out end'])
})

test('a ring that has gone round is read from its oldest record, over the padding at its end', () => {
  // 40 bytes: the newest record at 0, the oldest at 8, one at 20, and 8 bytes that were too small for a record.
  const ring = Buffer.concat([
    record(1, 'new!'),
    record(1, 'oldest!!'),
    record(2, 'later...'),
    Buffer.alloc(8),
  ])
  assert.deepEqual(shown(file({ ring, ringStart: 8, ringUsed: 40, total: 20 })), [
    'out oldest!!',
    'err later...',
    'out new!',
  ])
})

test('a header that is being written, another file and a short one are told apart from output', () => {
  const good = file({ head: record(1, 'x'), total: 1 })
  const torn = Buffer.from(good)
  torn[48]! ^= 1
  for (const bad of [torn, good.subarray(0, 63), Buffer.from('something else'.repeat(20)), Buffer.alloc(0)])
    assert.equal(parseKeptOutput(bad), undefined)
})
