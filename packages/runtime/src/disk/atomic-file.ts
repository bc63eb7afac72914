import { dirname } from 'node:path'
import { type Disk, hasCode } from './disk.ts'
import { guarded } from './guarded.ts'

export interface NewFile {
  readonly path: string
  readonly bytes: Uint8Array | string
  readonly mode?: number
}

const LEFTOVER = /\.\d+-\d+\.tmp$/
// The thread pool has four threads, and the journal's own write must find one free.
const AT_ONCE = 2
let counter = 0

/** Replaces a file so that a crash leaves the old or the new contents, and the new ones for good once this resolves. */
export function writeAtomically(
  disk: Disk,
  path: string,
  bytes: Uint8Array | string,
  mode?: number,
): Promise<void> {
  return writeAllAtomically(disk, [mode === undefined ? { path, bytes } : { path, bytes, mode }])
}

/** Replaces each file atomically; their directories are made durable once for all of them. */
export async function writeAllAtomically(disk: Disk, files: readonly NewFile[]): Promise<void> {
  const waiting = files.values()
  const replaceOneByOne = async () => {
    for (const file of waiting) await replace(disk, file)
  }
  const lanes = Array.from({ length: Math.min(AT_ONCE, files.length) }, replaceOneByOne)
  // Every lane has ended before a failure is reported: nothing is written behind the caller's back.
  const failed = (await Promise.allSettled(lanes)).find(lane => lane.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  for (const directory of new Set(files.map(file => dirname(file.path)))) {
    await guarded(`make the directory ${directory} durable`, () => disk.syncDirectory(directory))
  }
}

/** Removes what writers that crashed left behind; only for whoever has locked the directory. */
export async function removeLeftovers(
  disk: Disk,
  directory: string,
  names?: readonly string[],
): Promise<string[]> {
  const leftovers = (names ?? (await disk.list(directory))).filter(name => LEFTOVER.test(name))
  for (const name of leftovers) {
    await guarded(`remove ${name}`, () => disk.remove(`${directory}/${name}`))
  }
  return leftovers
}

async function replace(disk: Disk, file: NewFile): Promise<void> {
  const bytes = typeof file.bytes === 'string' ? Buffer.from(file.bytes) : file.bytes
  await guarded(`write ${file.path}`, async () => {
    const { temporary, handle } = await createBeside(disk, file.path, file.mode ?? 0o600)
    try {
      try {
        await handle.write(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await disk.rename(temporary, file.path)
    } catch (error) {
      await disk.remove(temporary).catch(() => {})
      throw error
    }
  })
}

async function createBeside(disk: Disk, path: string, mode: number) {
  for (;;) {
    const temporary = `${path}.${process.pid}-${++counter}.tmp`
    try {
      return { temporary, handle: await disk.create(temporary, mode) }
    } catch (error) {
      // A namesake in another PID namespace may share the directory.
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
}
