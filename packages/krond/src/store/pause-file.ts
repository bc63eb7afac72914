import { PersistenceError } from '@kron/core'
import { PAUSES_FILE, type Pause, parsePauses, printPauses } from '@kron/host'
import { type Disk, hasCode, writeAtomically } from '@kron/runtime'
import type { PauseStore } from '../effects/ports.ts'

/** The pauses in the state directory. Without the file, no job is paused. */
export function pauseFile(disk: Disk, directory: string): PauseStore {
  const path = `${directory}/${PAUSES_FILE}`
  return {
    load: async (): Promise<readonly Pause[]> => {
      let bytes: Uint8Array
      try {
        bytes = await disk.read(path)
      } catch (cause) {
        if (hasCode(cause, 'ENOENT')) return []
        throw new PersistenceError(`cannot read ${path}: ${(cause as Error).message}`, {
          component: 'state',
          operation: 'read pauses',
          cause,
        })
      }
      return parsePauses(Buffer.from(bytes).toString())
    },
    save: pauses => writeAtomically(disk, path, printPauses(pauses)),
  }
}
