import type { Disk, DiskFile } from '@kron/runtime'
import type { TaskRecord } from '../../task/record.ts'
import { footerLine, headerLine, recordLine } from './snapshot-text.ts'

/** Small enough not to block the event loop, large enough for the disk. */
const PIECE = 1 << 18

export const snapshotPath = (directory: string): string => `${directory}/snapshot`

let counter = 0

/**
 * Replaces the snapshot atomically, piece by piece, and returns its size. Records may change meanwhile. The snapshot
 * may hold half of such a change, but the journal holds all of it and is replayed over the snapshot. `journal` is the
 * segment that follows the snapshot. It must already be durable.
 */
export async function writeSnapshot(
  disk: Disk,
  directory: string,
  records: Iterable<TaskRecord>,
  journal?: number,
): Promise<number> {
  const temporary = `${snapshotPath(directory)}.${process.pid}-${++counter}.tmp`
  const file = await disk.create(temporary, 0o600)
  try {
    const size = await writePieces(file, headerLine(journal), records)
    await disk.rename(temporary, snapshotPath(directory))
    await disk.syncDirectory(directory)
    return size
  } catch (error) {
    await disk.remove(temporary).catch(() => {})
    throw error
  }
}

async function writePieces(file: DiskFile, header: string, records: Iterable<TaskRecord>): Promise<number> {
  try {
    let size = 0
    let count = 0
    let piece = header
    const flush = async () => {
      const bytes = Buffer.from(piece)
      piece = ''
      size += bytes.length
      await file.write(bytes)
    }
    for (const record of records) {
      piece += recordLine(record)
      count++
      if (piece.length >= PIECE) await flush()
    }
    piece += footerLine(count)
    await flush()
    await file.sync()
    return size
  } finally {
    await file.close()
  }
}
