import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const PATIENCE_MS = 10_000
const LOOK_MS = 5

/**
 * Changes the JSON of a record. Campaigns that run at the same time wait for each other, so none of them loses the figures of
 * another. Readers see the record before the change or after it, never a part of it.
 */
export function changeRecord<T>(
  path: string,
  change: (before: T | undefined) => T,
  patience = PATIENCE_MS,
): void {
  mkdirSync(dirname(path), { recursive: true })
  const unlock = lock(`${path}.lock`, patience)
  const temporary = `${path}.${process.pid}.new`
  try {
    writeFileSync(temporary, `${JSON.stringify(change(read<T>(path)), null, 2)}\n`)
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
    unlock()
  }
}

/** Creates the lock file, which only one process can, and returns a function that removes it. */
function lock(path: string, patience: number): () => void {
  const end = Date.now() + patience
  for (;;) {
    try {
      closeSync(openSync(path, 'wx'))
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (Date.now() > end)
        throw new Error(
          `${path} still exists: a campaign was killed while it wrote. Remove the file if none runs`,
        )
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS)
  }
}

function read<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
