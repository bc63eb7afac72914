import { crc32 } from 'node:zlib'
import { TaskInvalidStructureError } from '../../error/record-error.ts'
import { readRecord } from '../../task/read-record.ts'
import type { TaskRecord } from '../../task/record.ts'

/*
 * A snapshot consists of a header line, one line per task, and a line with the number of tasks. The header names the
 * format and the journal segment that follows the snapshot. Each line is the CRC-32 of a JSON text in eight hexadecimal
 * digits, a space, and the text. So damage is detected line by line.
 */
const FORMAT = 'kron-scheduler'
const VERSION = 1
const NEWLINE = 10
/** The beginning of every line. It also matches a header that is damaged further on. */
const BEGINNING = /^[0-9a-f]{8} \{"/

/** A snapshot that this version must not change. */
export class SnapshotFormatError extends Error {}

const line = (json: string): string => `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`

export const headerLine = (journal?: number): string =>
  line(JSON.stringify({ format: FORMAT, version: VERSION, journal }))
export const recordLine = (record: TaskRecord): string => line(JSON.stringify(record))
export const footerLine = (count: number): string => line(JSON.stringify({ end: count }))

export interface SnapshotReader {
  readonly onRecord: (record: TaskRecord) => void
  /** Called with a value that is not a record, or with undefined if the checksum of the line is wrong. */
  readonly onDamage: (value: unknown, error: Error) => void
}

/** Returns the number of the journal segment that must exist, if the snapshot names one. */
export function readSnapshot(bytes: Uint8Array, reader: SnapshotReader): number | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const journal = readHeader(buffer)
  let number = 0
  let promised: number | undefined
  for (const value of valuesIn(buffer)) {
    number++
    if (isFooter(value)) promised = value.end
    else if (number > 1 || value === undefined) readLine(value, number, reader)
  }
  const count = Math.max(0, number - 2)
  if (promised !== count) {
    const problem = `the snapshot has ${count} lines of tasks instead of ${promised ?? 'an unknown number'}`
    reader.onDamage(undefined, new TaskInvalidStructureError(undefined, problem))
  }
  return journal
}

function readLine(value: unknown, number: number, { onRecord, onDamage }: SnapshotReader): void {
  if (value === undefined) {
    onDamage(undefined, new TaskInvalidStructureError(undefined, `line ${number} fails its checksum`))
    return
  }
  const record = readRecord(value)
  if (record instanceof Error) onDamage(value, record)
  else onRecord(record)
}

/** The value of each line. Undefined for a damaged line. */
function* valuesIn(buffer: Buffer): Generator<unknown> {
  for (let start = 0; start < buffer.length; ) {
    const newline = buffer.indexOf(NEWLINE, start)
    const end = newline === -1 ? buffer.length : newline
    yield valueIn(buffer, start, end)
    start = end + 1
  }
}

function valueIn(buffer: Buffer, start: number, end: number): unknown {
  const json = buffer.subarray(start + 9, end)
  if (end - start < 10 || Number.parseInt(buffer.toString('latin1', start, start + 8), 16) !== crc32(json))
    return undefined
  try {
    return JSON.parse(json.toString())
  } catch {
    return undefined
  }
}

function readHeader(buffer: Buffer): number | undefined {
  const { value } = valuesIn(buffer).next()
  if (value === undefined) {
    if (!isSpoiled(buffer)) throw foreign()
    return undefined
  }
  const { format, version, journal } = (value ?? {}) as Record<string, unknown>
  if (format !== FORMAT) throw foreign()
  if (version !== VERSION) {
    throw new SnapshotFormatError(
      `it has version ${String(version)}, and this version of Kron knows ${VERSION}; ` +
        'use the newer Kron, or another directory to begin anew',
    )
  }
  return typeof journal === 'number' ? journal : undefined
}

const foreign = () =>
  new SnapshotFormatError(
    'it is not a snapshot of the scheduler; give the scheduler a directory of its own, or move the file away',
  )

/** Whether a file without a sound header is a damaged snapshot and not some other file. */
function isSpoiled(buffer: Buffer): boolean {
  if (buffer.every(byte => byte === 0) || BEGINNING.test(buffer.toString('latin1', 0, 11))) return true
  for (const value of valuesIn(buffer)) if (value !== undefined) return true
  return false
}

const isFooter = (value: unknown): value is { readonly end: number } =>
  typeof value === 'object' && value !== null && typeof (value as { end?: unknown }).end === 'number'
