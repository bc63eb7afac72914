import * as fs from 'node:fs'
import { PersistenceError, SystemError } from '@kron/core'
import { LockHeldError } from '../lock/lock-held.ts'
import { lastError, native } from '../native/native.ts'
import { requireNative } from '../native/require-native.ts'
import { hasCode } from './disk.ts'

const flock = native<[fd: number, operation: number], number>('int flock(int fd, int operation)')
const LOCK_SH = 1
const LOCK_EX = 2
const LOCK_NB = 4
const ATTEMPTS = 4
const RETRY_AFTER = 10

/** A lock for as long as the process lives: the kernel lets go of it however the process ends. */
export class FileLock {
  #fd: number | undefined

  private constructor(fd: number) {
    this.#fd = fd
  }

  /** Takes the lock at once or throws a `LockHeldError`. */
  static acquire(path: string): FileLock {
    const fd = openLockFile(path, fs.constants.O_RDWR | fs.constants.O_CREAT)
    try {
      // `lockHolder` of another process may hold it for a moment.
      for (let attempt = 1; !tryLock(fd, LOCK_EX); attempt++) {
        if (attempt === ATTEMPTS) throw new LockHeldError(path, readHolder(fd))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_AFTER)
      }
      attempt(`write the lock ${path}`, () => {
        fs.ftruncateSync(fd)
        fs.writeSync(fd, `${process.pid}\n`, 0)
      })
      return new FileLock(fd)
    } catch (error) {
      fs.closeSync(fd)
      throw error
    }
  }

  /** The file stays: removing it would let two processes lock two files of the same name. */
  release(): void {
    if (this.#fd !== undefined) fs.closeSync(this.#fd)
    this.#fd = undefined
  }
}

/** Who holds the lock now, if anybody does; throws if that cannot be seen. */
export function lockHolder(path: string): { readonly pid: number | undefined } | undefined {
  const fd = openIfThere(path)
  if (fd === undefined) return undefined
  try {
    return tryLock(fd, LOCK_SH) ? undefined : { pid: readHolder(fd) }
  } finally {
    fs.closeSync(fd)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openLockFile(path, fs.constants.O_RDONLY)
  } catch (error) {
    if (hasCode((error as Error).cause, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

function openLockFile(path: string, flags: number): number {
  requireNative('lock a file')
  // Node opens everything close-on-exec, so no child can keep the lock alive.
  return attempt(`open the lock ${path}`, () =>
    fs.openSync(path, flags | (fs.constants.O_NOFOLLOW ?? 0), 0o600),
  )
}

function attempt<T>(what: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    throw new PersistenceError(`cannot ${what}: ${(cause as Error).message}`, {
      component: 'lock',
      operation: 'lock',
      cause,
    })
  }
}

function tryLock(fd: number, kind: number): boolean {
  while (flock(fd, kind | LOCK_NB) !== 0) {
    const error = lastError()
    if (error === 'EAGAIN') return false
    if (error !== 'EINTR') {
      throw new SystemError(`cannot lock: ${error}`, { component: 'lock', operation: 'lock' })
    }
  }
  return true
}

function readHolder(fd: number): number | undefined {
  const text = Buffer.alloc(16)
  const length = fs.readSync(fd, text, 0, text.length, 0)
  const pid = Number.parseInt(text.toString('latin1', 0, length), 10)
  return Number.isNaN(pid) ? undefined : pid
}
