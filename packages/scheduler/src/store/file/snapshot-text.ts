import { crc32 } from 'node:zlib'
import { TaskInvalidStructureError } from '../../error/record-error.ts'
import { readRecord } from '../../task/read-record.ts'
import type { TaskRecord } from '../../task/record.ts'

/*
 * A snapshot is a line that says what it is, a line per task, and a line with their number. Each line is the
 * CRC-32 of a JSON text in eight hexadecimal digits, a blank, and the text; so damage is known line by line.
 */
const FORMAT = 'kron-scheduler'
const VERSION = 1
const NEWLINE = 10

/** A snapshot that this version must not touch. */
export class SnapshotFormatError extends Error {}

const line = (json: string): string => `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`

export const headerLine = (): string => line(JSON.stringify({ format: FORMAT, version: VERSION }))
export const recordLine = (record: TaskRecord): string => line(JSON.stringify(record))
export const footerLine = (count: number): string => line(JSON.stringify({ end: count }))

export interface SnapshotReader {
  readonly onRecord: (record: TaskRecord) => void
  /** Something that is not a record; undefined if not even its checksum is right. */
  readonly onDamage: (value: unknown, error: Error) => void
}

export function readSnapshot(bytes: Uint8Array, reader: SnapshotReader): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let sound = 0
  let number = 0
  let promised: number | undefined
  for (let start = 0; start < buffer.length; number++) {
    const newline = buffer.indexOf(NEWLINE, start)
    const end = newline === -1 ? buffer.length : newline
    const value = valueIn(buffer, start, end)
    start = end + 1
    if (value !== undefined) sound++
    if (number === 0 && value !== undefined) checkHeader(value)
    else if (isFooter(value)) promised = value.end
    else if (number > 0 || value === undefined) readLine(value, number + 1, reader)
  }
  if (sound === 0) throw new SnapshotFormatError('it is not a snapshot of the scheduler')
  if (promised !== number - 2) {
    const problem = `the snapshot has ${number - 2} lines of tasks instead of ${promised ?? 'an unknown number'}`
    reader.onDamage(undefined, new TaskInvalidStructureError(undefined, problem))
  }
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

function checkHeader(value: unknown): void {
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown }
  if (format !== FORMAT) throw new SnapshotFormatError('it is not a snapshot of the scheduler')
  if (version !== VERSION) {
    throw new SnapshotFormatError(
      `it has version ${String(version)}, and this version of Kron knows ${VERSION}`,
    )
  }
}

const isFooter = (value: unknown): value is { readonly end: number } =>
  typeof value === 'object' && value !== null && typeof (value as { end?: unknown }).end === 'number'
