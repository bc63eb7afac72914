import type { Disk } from './disk.ts'
import { guarded } from './guarded.ts'
import { parseSegment } from './journal-format.ts'
import { JournalDamagedError } from './journal-recovery.ts'

const SEGMENT = /^journal-\d{8}$/

/**
 * Hands every record that can still be read to `replay`, oldest first, and returns what is wrong with the rest.
 * Of a damaged segment that is what comes before the damage.
 */
export async function salvageJournal(
  disk: Disk,
  directory: string,
  replay: (record: Uint8Array) => void,
): Promise<JournalDamagedError[]> {
  const damages: JournalDamagedError[] = []
  const segments = await segmentPaths(disk, directory)
  for (const path of segments) {
    const { records, end } = parseSegment(await guarded(`read ${path}`, () => disk.read(path)))
    for (const record of records) replay(record)
    if (end.kind === 'damaged') damages.push(new JournalDamagedError(path, end.offset, end.reason))
    // The end of the newest segment may be torn by a crash, which is no damage.
    else if (end.kind === 'torn' && path !== segments.at(-1)) {
      damages.push(new JournalDamagedError(path, end.size, 'it is cut short, but a newer segment follows'))
    }
  }
  return damages
}

/** Removes every segment, oldest first, for whoever has stored elsewhere what could be salvaged. */
export async function removeJournal(disk: Disk, directory: string): Promise<void> {
  await guarded(`remove the journal in ${directory}`, async () => {
    for (const path of await segmentPaths(disk, directory)) await disk.remove(path)
    await disk.syncDirectory(directory)
  })
}

async function segmentPaths(disk: Disk, directory: string): Promise<string[]> {
  const names = await guarded(`list ${directory}`, () => disk.list(directory))
  return names.filter(name => SEGMENT.test(name)).map(name => `${directory}/${name}`)
}
