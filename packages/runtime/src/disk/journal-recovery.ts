import { PersistenceError } from '@kron/core'
import type { Disk } from './disk.ts'
import { guarded } from './guarded.ts'
import { parseSegment, type Segment } from './journal-format.ts'

const READ_ATTEMPTS = 5
const SEGMENT_NAME = /^journal-(\d{8})$/

export const segmentName = (number: number): string => `journal-${String(number).padStart(8, '0')}`

/** Something that had been promised to be durable cannot be read any more. */
export class JournalDamagedError extends PersistenceError {
  readonly path: string
  readonly offset: number

  constructor(path: string, offset: number, reason: string) {
    super(`${path} is damaged at byte ${offset}: ${reason}`, {
      component: 'disk',
      operation: 'recover',
      hint: 'restore the file from a backup, or move it away and accept that what it held is unknown',
    })
    this.path = path
    this.offset = offset
  }
}

export interface Recovered {
  /** Numbers of the segments found, oldest first. */
  readonly segments: readonly number[]
  /** The newest segment, the only one that may be torn. */
  readonly last: Segment | undefined
  /** The end of the newest segment that must be dropped, if whole records were in it. */
  readonly tail: Uint8Array | undefined
}

/** Hands every durable record to `replay`, oldest first. */
export async function recover(
  disk: Disk,
  directory: string,
  replay: (record: Uint8Array) => void,
  names?: readonly string[],
): Promise<Recovered> {
  const segments = segmentsAmong(names ?? (await guarded(`list ${directory}`, () => disk.list(directory))))
  const newest = segments.at(-1)
  let last: Segment | undefined
  let tail: Uint8Array | undefined
  for (const [index, number] of segments.entries()) {
    const path = `${directory}/${segmentName(number)}`
    if (number !== segments[0]! + index)
      throw new JournalDamagedError(path, 0, 'the segment before it is missing')
    const bytes = await guarded(`read ${path}`, () => disk.read(path))
    last = parseSegment(bytes)
    const { end } = last
    if (end.kind === 'torn' && end.lost === 'whole') tail = bytes.slice(end.size)
    if (end.kind === 'damaged') throw new JournalDamagedError(path, end.offset, end.reason)
    if (end.kind === 'torn' && number !== newest) {
      throw new JournalDamagedError(path, end.size, 'it is cut short, but a newer segment follows')
    }
    for (const record of last.records) replay(record)
  }
  return { segments, last, tail }
}

/**
 * Reads a journal that its owner may be writing. Read the journal first and the files it feeds afterwards:
 * what is cut from it in between is in them by then.
 */
export async function readJournal(
  disk: Disk,
  directory: string,
  replay: (record: Uint8Array) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const records: Uint8Array[] = []
    try {
      await recover(disk, directory, record => records.push(record))
    } catch (error) {
      // A cut between listing and reading looks like a missing file; a second look tells.
      if (attempt < READ_ATTEMPTS) continue
      throw error
    }
    for (const record of records) replay(record)
    return
  }
}

export const segmentsAmong = (names: readonly string[]): number[] =>
  names.flatMap(name => SEGMENT_NAME.exec(name)?.slice(1).map(Number) ?? []).sort((a, b) => a - b)
