import { crc32 } from 'node:zlib'

/** The kept output of a run (packages/shim/PROTOCOL.md): its beginning, and the newest part of the rest. */
export interface KeptOutput {
  readonly pieces: readonly OutputPiece[]
  /** Bytes printed in all. */
  readonly totalBytes: number
}

export type OutputPiece =
  | { readonly kind: 'out' | 'err'; readonly data: Buffer }
  /** Bytes that were not kept. */
  | { readonly kind: 'gap'; readonly bytes: number }

const MAGIC = 'kron-output 1\n\0\0'
const HEADER_BYTES = 64
const RECORD_HEADER_BYTES = 4

interface Header {
  readonly keep: number
  readonly headUsed: number
  readonly ringStart: number
  readonly ringUsed: number
  readonly total: number
}

/** Undefined if the bytes are not kept output, or if the header is just being written; in that case read again. */
export function parseKeptOutput(file: Buffer): KeptOutput | undefined {
  const header = headerOf(file)
  if (header === undefined) return undefined
  const headCapacity = Math.floor(header.keep / 2)
  const head = recordsIn(file.subarray(HEADER_BYTES, HEADER_BYTES + header.headUsed))
  const ringAt = HEADER_BYTES + headCapacity
  const ring = recordsIn(unrolled(file.subarray(ringAt, ringAt + header.keep - headCapacity), header))
  const kept = [...head, ...ring].reduce((sum, piece) => sum + piece.data.length, 0)
  const gap = header.total - kept
  const between: OutputPiece[] = gap > 0 ? [{ kind: 'gap', bytes: gap }] : []
  return { pieces: [...head, ...between, ...ring], totalBytes: header.total }
}

function headerOf(file: Buffer): Header | undefined {
  if (file.length < HEADER_BYTES || file.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined
  if (crc32(file.subarray(0, 60)) !== file.readUInt32LE(60)) return undefined
  const number = (at: number): number => Number(file.readBigUInt64LE(at))
  return {
    keep: number(16),
    headUsed: number(24),
    ringStart: number(32),
    ringUsed: number(40),
    total: number(48),
  }
}

/** The used bytes of the ring, oldest first; a record never wraps around its end. */
function unrolled(ring: Buffer, { ringStart, ringUsed }: Header): Buffer {
  const first = ring.subarray(ringStart, ringStart + ringUsed)
  const left = ringUsed - (ring.length - ringStart)
  return left > 0 ? Buffer.concat([withoutPadding(first), ring.subarray(0, left)]) : first
}

/** Up to four bytes are left over at the end of the ring if no record fits into them. They mean nothing. */
function withoutPadding(bytes: Buffer): Buffer {
  let at = 0
  while (at + RECORD_HEADER_BYTES < bytes.length && bytes[at] !== 0)
    at += RECORD_HEADER_BYTES + bytes.readUIntLE(at + 1, 3)
  return bytes.subarray(0, Math.min(at, bytes.length))
}

function recordsIn(bytes: Buffer): (OutputPiece & { kind: 'out' | 'err' })[] {
  const records: (OutputPiece & { kind: 'out' | 'err' })[] = []
  let at = 0
  while (at + RECORD_HEADER_BYTES < bytes.length && bytes[at] !== 0) {
    const from = at + RECORD_HEADER_BYTES
    const end = from + bytes.readUIntLE(at + 1, 3)
    if (end > bytes.length) break
    records.push({ kind: bytes[at] === 1 ? 'out' : 'err', data: Buffer.from(bytes.subarray(from, end)) })
    at = end
  }
  return records
}
