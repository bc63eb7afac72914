import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { PersistenceError } from '@kron/core'
import { bootId, isDead, readProcessStat, readRealUser } from '../process/proc.ts'

/** Opens the lock file; `kron-shim serve` locks it. */
export function openLockFile(path: string): number {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW
  try {
    return openSync(path, flags, 0o600)
  } catch (cause) {
    throw new PersistenceError(`cannot open the lock ${path}: ${(cause as Error).message}`, {
      component: 'lock',
      operation: 'lock',
      cause,
    })
  }
}

/** Names this process as the holder: PID, start time and boot distinguish it from any other process with its PID. */
export function writeHolder(fd: number): void {
  const self = readProcessStat(process.pid)
  const text = `${process.pid} ${self?.startTime ?? 0} ${bootId()}\n`
  // Over the old text: on a full disk, room that is given back may be gone at once.
  writeSync(fd, text, 0)
  ftruncateSync(fd, Buffer.byteLength(text))
}

/**
 * The PID of the living daemon that the lock file names; undefined if there is none. The daemon must run as the owner
 * of the lock file: no other process can stand in for a daemon that is gone.
 */
export function livingHolder(path: string): number | undefined {
  let text: string
  let owner: number
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      owner = fstatSync(fd).uid
      text = readFileSync(fd, 'latin1')
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
  const [pid, start, boot] = text.trim().split(' ')
  if (start === undefined || boot !== bootId()) return undefined
  const stat = readProcessStat(Number(pid))
  if (stat === undefined || isDead(stat) || stat.startTime !== Number(start)) return undefined
  return readRealUser(Number(pid)) === owner ? Number(pid) : undefined
}
