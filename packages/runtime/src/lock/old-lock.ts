import * as fs from 'node:fs'
import { hasCode } from '../disk/disk.ts'
import { LockHeldError } from './lock-held.ts'

/**
 * The first versions held flock(2) on a file where the lock's directory is now. Renames this old file and removes it,
 * unless an old version still holds its flock (Linux can say so). Then the caller makes a directory at the path, and an
 * old version refuses to start.
 */
export function replaceOldLock(path: string): void {
  if (!isFile(path)) return
  const old = `${path}.old-${process.pid}`
  throwIfHeld(path, path)
  try {
    fs.renameSync(path, old)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  try {
    // Somebody may have locked it since.
    throwIfHeld(old, path)
  } catch (error) {
    fs.renameSync(old, path)
    throw error
  }
  fs.rmSync(old, { force: true })
}

function isFile(path: string): boolean {
  try {
    return fs.lstatSync(path).isFile()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

function throwIfHeld(file: string, path: string): void {
  const inode = fs.statSync(file, { bigint: true }).ino
  const pid = Number.parseInt(fs.readFileSync(file, 'latin1'), 10)
  const held = kernelLocks().some(lock => lock.inode === inode && lock.pid === pid)
  if (held) throw new LockHeldError(path, pid, ', of an older version of Kron')
}

/** The flock(2) locks that Linux lists; the devices it names are not always those that `stat` names. */
function kernelLocks(): { readonly pid: number; readonly inode: bigint }[] {
  let text: string
  try {
    text = fs.readFileSync('/proc/locks', 'utf8')
  } catch {
    return []
  }
  return [...text.matchAll(/FLOCK\s+\S+\s+\S+\s+(\d+)\s+[0-9a-f]+:[0-9a-f]+:(\d+)/g)].map(
    ([, pid, inode]) => ({
      pid: Number(pid),
      inode: BigInt(inode!),
    }),
  )
}
