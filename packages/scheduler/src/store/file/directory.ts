import { dirname } from 'node:path'
import { type Disk, hasCode } from '@kron/runtime'

export async function readIfThere(disk: Disk, path: string): Promise<Uint8Array | undefined> {
  try {
    return await disk.read(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Creates a directory and its parents durably. */
export async function makeDirectories(disk: Disk, path: string): Promise<void> {
  try {
    await makeDirectory(disk, path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error
    await makeDirectories(disk, dirname(path))
    await makeDirectory(disk, path)
  }
}

async function makeDirectory(disk: Disk, path: string): Promise<void> {
  try {
    await disk.makeDirectory(path, 0o700)
    await disk.syncDirectory(dirname(path))
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}
