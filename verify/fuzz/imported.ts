import { parseJobFile } from '../../packages/host/src/index.ts'
import type { Piece } from '../../packages/krontab/src/import/imported.ts'
import { writeJobFile } from '../../packages/krontab/src/import/job-file.ts'
import { must } from './target.ts'

const PATH = '/etc/krond.d/imported.kron'

/** The job file made by an import has no fault and holds every job. */
export function mustBecomeJobFile(pieces: readonly Piece[]): void {
  const { text, entries } = writeJobFile([{ file: 'some\nfile', pieces }], PATH)
  const read = parseJobFile(text, PATH)
  must(read.faults.length === 0, 'the new job file has no faults')
  must(read.entries.length === entries.length, 'the new job file holds every job')
  must(
    read.entries.every((entry, i) => entry.name === entries[i]!.entry.name),
    'the jobs have the names that were reported',
  )
}
