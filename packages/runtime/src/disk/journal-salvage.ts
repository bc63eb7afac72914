import { IncompatibleStateError } from '@kron/core'
import type { Disk } from './disk.ts'
import { guarded } from './guarded.ts'
import { isSpoiledHeader, parseSegment, type Segment, withSoundHeader } from './journal-format.ts'
import { JournalDamagedError, segmentName, segmentsAmong } from './journal-recovery.ts'

/**
 * Hands every record that can still be read to `replay`, oldest first, and returns what is wrong with the rest.
 * Of a damaged segment that is what comes before the damage. Throws at a segment of another version and, unless `isOurs` knows
 * better, at one that may be of another program.
 */
export async function salvageJournal(
  disk: Disk,
  directory: string,
  replay: (record: Uint8Array) => void,
  isOurs: (segment: number) => boolean = () => false,
): Promise<JournalDamagedError[]> {
  const damages: JournalDamagedError[] = []
  const numbers = await journalSegments(disk, directory)
  for (const [index, number] of numbers.entries()) {
    const path = `${directory}/${segmentName(number)}`
    if (number !== numbers[0]! + index)
      damages.push(new JournalDamagedError(path, 0, 'the segment before it is missing'))
    const bytes = await guarded(`read ${path}`, () => disk.read(path))
    const { records, end } = readSegment(path, bytes, isOurs(number), damages)
    for (const record of records) replay(record)
    if (end.kind === 'damaged') damages.push(new JournalDamagedError(path, end.offset, end.reason))
    // The end of the newest segment may be torn by a crash, which is no damage.
    else if (end.kind === 'torn' && number !== numbers.at(-1)) {
      damages.push(new JournalDamagedError(path, end.size, 'it is cut short, but a newer segment follows'))
    }
  }
  return damages
}

/** Commits have checksums of their own: they outlive their segment's header. */
function readSegment(
  path: string,
  bytes: Uint8Array,
  ours: boolean,
  damages: JournalDamagedError[],
): Segment {
  const segment = parseSegment(bytes)
  if (segment.end.kind !== 'damaged' || segment.end.offset > 0) return segment
  const { reason } = segment.end
  if (!isSpoiledHeader(bytes, ours)) {
    throw new IncompatibleStateError(`cannot use ${path}: ${reason}`, {
      component: 'disk',
      operation: 'recover',
      hint: 'use the version of Kron that wrote it, or move the file away if it is not from Kron',
    })
  }
  damages.push(new JournalDamagedError(path, 0, reason))
  return parseSegment(withSoundHeader(bytes))
}

/** Removes every segment, oldest first, for whoever has stored elsewhere what could be salvaged. */
export async function removeJournal(disk: Disk, directory: string): Promise<void> {
  await guarded(`remove the journal in ${directory}`, async () => {
    for (const number of await journalSegments(disk, directory))
      await disk.remove(`${directory}/${segmentName(number)}`)
    await disk.syncDirectory(directory)
  })
}

/** Numbers of the segments in a directory, oldest first. */
export async function journalSegments(disk: Disk, directory: string): Promise<number[]> {
  return segmentsAmong(await guarded(`list ${directory}`, () => disk.list(directory)))
}
