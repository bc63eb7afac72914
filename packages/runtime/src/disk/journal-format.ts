import { crc32 } from 'node:zlib'

/*
 * A segment is a header and the group commits that were appended to it, all numbers little-endian u32:
 *
 *   header  "KRONJRNL", version, crc of the 12 bytes before
 *   commit  "KCMT", number of the commit in the segment, record count, payload length, crc of the 16 bytes before
 *   payload for each record: length, crc of the record, the record
 *
 * After the last commit there may be zeros: room that is reserved for the next ones.
 *
 * A commit is written only after the one before it is durable. So a crash can spoil the last commit alone, in any
 * way, and a spoiled commit with a sound one behind it is damage to what had been promised.
 */
const SEGMENT_MAGIC = Buffer.from('KRONJRNL')
const COMMIT_MAGIC = Buffer.from('KCMT')
const VERSION = 1
export const HEADER_SIZE = 16
const COMMIT_HEADER_SIZE = 20
const RECORD_HEADER_SIZE = 8
const SMALLEST = 4096
const LARGEST_KEPT = 1 << 20

export function segmentHeader(): Uint8Array {
  const header = Buffer.alloc(HEADER_SIZE)
  SEGMENT_MAGIC.copy(header)
  header.writeUInt32LE(VERSION, 8)
  header.writeUInt32LE(crc32(header.subarray(0, 12)), 12)
  return header
}

/** Gathers the records of one commit. */
export class CommitBuffer {
  #buffer = Buffer.allocUnsafe(SMALLEST)
  #end = COMMIT_HEADER_SIZE
  #count = 0

  get count(): number {
    return this.#count
  }

  add(record: Uint8Array | string): void {
    const most = typeof record === 'string' ? record.length * 3 : record.length
    this.#reserve(RECORD_HEADER_SIZE + most)
    const start = this.#end + RECORD_HEADER_SIZE
    const length = typeof record === 'string' ? this.#buffer.write(record, start) : record.length
    if (typeof record !== 'string') this.#buffer.set(record, start)
    this.#buffer.writeUInt32LE(length, this.#end)
    this.#buffer.writeUInt32LE(crc32(this.#buffer.subarray(start, start + length)), this.#end + 4)
    this.#end = start + length
    this.#count++
  }

  /** The bytes of the commit, valid until the next `add` or `clear`. */
  seal(number: number): Uint8Array {
    COMMIT_MAGIC.copy(this.#buffer)
    this.#buffer.writeUInt32LE(number, 4)
    this.#buffer.writeUInt32LE(this.#count, 8)
    this.#buffer.writeUInt32LE(this.#end - COMMIT_HEADER_SIZE, 12)
    this.#buffer.writeUInt32LE(crc32(this.#buffer.subarray(0, 16)), 16)
    return this.#buffer.subarray(0, this.#end)
  }

  clear(): void {
    // A single huge commit must not be paid for ever after.
    if (this.#buffer.length > LARGEST_KEPT) this.#buffer = Buffer.allocUnsafe(SMALLEST)
    this.#end = COMMIT_HEADER_SIZE
    this.#count = 0
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#end + bytes, this.#buffer.length * 2))
    this.#buffer.copy(larger, 0, 0, this.#end)
    this.#buffer = larger
  }
}

export type SegmentEnd =
  /** Every byte belongs to a sound commit, or to the room reserved behind the last one. */
  | { readonly kind: 'sound' }
  /** The last commit was never completed: what a crash leaves. */
  | { readonly kind: 'torn'; readonly size: number }
  | { readonly kind: 'damaged'; readonly offset: number; readonly reason: string }

export interface Segment {
  readonly records: Uint8Array[]
  readonly commits: number
  /** Where the sound commits end, and the next one goes. */
  readonly size: number
  readonly end: SegmentEnd
}

export function parseSegment(bytes: Uint8Array): Segment {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const records: Uint8Array[] = []
  const fault = headerFault(buffer)
  if (fault !== undefined)
    return { records, commits: 0, size: 0, end: { kind: 'damaged', offset: 0, reason: fault } }
  let offset = HEADER_SIZE
  let commits = 0
  while (offset < buffer.length) {
    const commit = commitAt(buffer, offset)
    if (commit === undefined || commit.number !== commits) {
      return { records, commits, size: offset, end: judgeEnd(buffer, offset, commits) }
    }
    for (const record of commit.records) records.push(record)
    offset = commit.end
    commits++
  }
  return { records, commits, size: offset, end: { kind: 'sound' } }
}

function headerFault(buffer: Buffer): string | undefined {
  if (buffer.length < HEADER_SIZE) return 'the header is incomplete'
  if (!buffer.subarray(0, 8).equals(SEGMENT_MAGIC)) return 'this is not a journal'
  if (buffer.readUInt32LE(12) !== crc32(buffer.subarray(0, 12))) return 'the header fails its checksum'
  const version = buffer.readUInt32LE(8)
  return version === VERSION ? undefined : `version ${version} is unknown`
}

/** How many bytes of a header may differ for it still to be recognised. */
const MOST_SPOILED = 4

/** Whether a wrong header is a damaged one of this version, and not one that another version or program wrote. */
export function isSpoiledHeader(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (buffer.every(byte => byte === 0)) return true
  if (headerFault(buffer)?.startsWith('version')) return false
  const header = segmentHeader()
  const length = Math.min(buffer.length, HEADER_SIZE)
  let same = 0
  for (let at = 0; at < length; at++) if (buffer[at] === header[at]) same++
  return same >= length - MOST_SPOILED || buffer.includes(COMMIT_MAGIC)
}

/** The same segment with the header that it should have. */
export const withSoundHeader = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([segmentHeader(), bytes.subarray(HEADER_SIZE)])

function judgeEnd(buffer: Buffer, offset: number, number: number): SegmentEnd {
  if (isBlank(buffer.subarray(offset))) return { kind: 'sound' }
  let next = buffer.indexOf(COMMIT_MAGIC, offset)
  while (next !== -1) {
    const commit = commitAt(buffer, next)
    if (commit !== undefined && (commit.number > number || next === offset)) {
      return {
        kind: 'damaged',
        offset,
        reason: `commit ${number} is spoiled, but commit ${commit.number} follows`,
      }
    }
    next = buffer.indexOf(COMMIT_MAGIC, next + 1)
  }
  return { kind: 'torn', size: offset }
}

const isBlank = (bytes: Buffer): boolean => bytes.equals(Buffer.alloc(bytes.length))

interface Commit {
  readonly number: number
  readonly records: Uint8Array[]
  readonly end: number
}

function commitAt(buffer: Buffer, offset: number): Commit | undefined {
  const start = offset + COMMIT_HEADER_SIZE
  if (start > buffer.length) return undefined
  if (!buffer.subarray(offset, offset + 4).equals(COMMIT_MAGIC)) return undefined
  if (buffer.readUInt32LE(offset + 16) !== crc32(buffer.subarray(offset, offset + 16))) return undefined
  const end = start + buffer.readUInt32LE(offset + 12)
  if (end > buffer.length) return undefined
  const records = recordsIn(buffer.subarray(start, end), buffer.readUInt32LE(offset + 8))
  return records === undefined ? undefined : { number: buffer.readUInt32LE(offset + 4), records, end }
}

function recordsIn(payload: Buffer, count: number): Uint8Array[] | undefined {
  const records: Uint8Array[] = []
  let offset = 0
  while (records.length < count) {
    const start = offset + RECORD_HEADER_SIZE
    if (start > payload.length) return undefined
    const end = start + payload.readUInt32LE(offset)
    if (end > payload.length) return undefined
    const record = payload.subarray(start, end)
    if (payload.readUInt32LE(offset + 4) !== crc32(record)) return undefined
    records.push(record)
    offset = end
  }
  return offset === payload.length ? records : undefined
}
