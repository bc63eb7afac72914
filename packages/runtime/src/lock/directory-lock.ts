import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname } from 'node:path'
import { clearInterval, setInterval, setTimeout } from 'node:timers'
import { PersistenceError } from '@kron/core'
import { codeOf, hasCode, messageOf } from '../disk/disk.ts'
import { type Beacon, bootOrHostName, isLit, lightBeacon, takeName } from './beacon.ts'
import {
  type Claim,
  claimNumbers,
  claimPath,
  makeClaim,
  readClaim,
  releaseClaim,
  removeOldClaims,
} from './claim.ts'
import { LockHeldError } from './lock-held.ts'
import { replaceOldLock } from './old-lock.ts'

// Saved when this module is loaded: a test's fake timers must not stop the timer that touches the claim.
const startInterval = setInterval
const stopInterval = clearInterval
const startTimeout = setTimeout

export interface DirectoryLockOptions {
  /** How often a holder touches its claim, in milliseconds. */
  readonly beatMs?: number
  /** How long a claim that nobody touches is watched before its holder counts as dead. */
  readonly watchMs?: number
}

const BEAT = 5_000
const WATCH = 15_000

/** How a lock that was held is held no longer. */
export type LockLoss = 'vanished' | 'replaced' | 'superseded'

/**
 * A lock in a directory of its own, without flock(2) and so without foreign functions.
 *
 * The directory contains claims: files with rising numbers. The process that made the highest claim has the lock.
 *
 * - To take the lock, a process checks that the holder of claim N is gone, and creates claim N + 1. The file system lets
 *   only one process create it.
 * - The highest claim is never removed, so numbers are never used again. A slow process that creates its claim late
 *   finds a higher one and gives up.
 * - A holder is gone if it marked its claim as released, or if its socket does not answer: the kernel closes the socket
 *   with the process. If the socket cannot be asked (it is on another machine, or was deleted), the holder is gone if it
 *   has not touched its claim for 15 seconds.
 */
export class DirectoryLock {
  readonly #path: string
  readonly #watchMs: number
  readonly #name: Beacon | undefined
  readonly #heart: NodeJS.Timeout
  #hold: Hold
  #released = false

  private constructor(path: string, name: Beacon | undefined, hold: Hold, beatMs: number, watchMs: number) {
    this.#path = path
    this.#watchMs = watchMs
    this.#name = name
    this.#hold = hold
    this.#heart = startInterval(() => this.#beat(), beatMs).unref()
  }

  /** Takes the lock or throws a `LockHeldError`. The directory above must exist. */
  static async acquire(path: string, options: DirectoryLockOptions = {}): Promise<DirectoryLock> {
    const { beatMs = BEAT, watchMs = WATCH } = options
    const name = await takeName(attempt(path, () => nameOf(path)))
    if (name === 'taken') throw new LockHeldError(path, newestClaim(path)?.pid)
    try {
      return new DirectoryLock(path, name, await take(path, watchMs), beatMs, watchMs)
    } catch (error) {
      name?.close()
      throw error
    }
  }

  /** Undefined while the lock is held: two looks at the directory, cheap enough for every commit. */
  loss(): LockLoss | undefined {
    const { number, inode } = this.#hold
    const found = inodeOf(claimPath(this.#path, number))
    if (found === undefined) return fs.existsSync(dirname(this.#path)) ? 'replaced' : 'vanished'
    if (found !== inode) return 'replaced'
    return inodeOf(claimPath(this.#path, number + 1)) === undefined ? undefined : 'superseded'
  }

  /** Takes the lock in a directory that was made again, without letting go of its place meanwhile. */
  async restore(): Promise<void> {
    this.#hold.beacon?.close()
    this.#hold = await take(this.#path, this.#watchMs)
  }

  release(): void {
    if (this.#released) return
    this.#released = true
    stopInterval(this.#heart)
    const { number, claim, beacon } = this.#hold
    try {
      if (this.loss() === undefined) releaseClaim(this.#path, number, claim)
    } catch {
      // The sockets are closed in any case, which says the same.
    }
    beacon?.close()
    this.#name?.close()
  }

  #beat(): void {
    const now = new Date()
    fs.utimes(claimPath(this.#path, this.#hold.number), now, now, () => {})
  }
}

/** A claim that has the lock, and the socket that proves its holder alive. */
interface Hold {
  readonly number: number
  readonly claim: Claim
  readonly inode: bigint | undefined
  readonly beacon: Beacon | undefined
}

async function take(path: string, watchMs: number): Promise<Hold> {
  attempt(path, () => {
    replaceOldLock(path)
    fs.mkdirSync(path, { recursive: true, mode: 0o700 })
  })
  const id = randomUUID()
  const beacon = await lightBeacon(path, id)
  const claim: Claim = {
    id,
    pid: process.pid,
    host: hostname(),
    machine: bootOrHostName(),
    ...(beacon !== undefined && { beacon: beacon.address }),
    since: new Date().toISOString(),
  }
  try {
    const number = await takeOver(path, claim, watchMs)
    attempt(path, () => removeOldClaims(path, number))
    return { number, claim, beacon, inode: inodeOf(claimPath(path, number)) }
  } catch (error) {
    beacon?.close()
    throw error
  }
}

async function takeOver(path: string, claim: Claim, watchMs: number): Promise<number> {
  for (;;) {
    const last = attempt(path, () => claimNumbers(path)).at(-1) ?? 0
    if (last > 0 && (await isHeld(path, last, claim.machine, watchMs))) {
      const holder = readClaim(claimPath(path, last))
      const where = holder === undefined ? '' : ` on ${holder.host} since ${holder.since}`
      throw new LockHeldError(path, holder?.pid, where)
    }
    const made = attempt(path, () => makeClaim(path, last + 1, claim))
    // The lock may have been taken, and older claims removed, while this process was not looking.
    if (made && claimNumbers(path).at(-1) === last + 1) return last + 1
    if (made) fs.rmSync(claimPath(path, last + 1), { force: true })
  }
}

async function isHeld(path: string, number: number, machine: string, watchMs: number): Promise<boolean> {
  const claim = readClaim(claimPath(path, number))
  if (claim?.released) return false
  if (claim?.beacon !== undefined && claim.machine === machine) {
    const lit = await isLit(path, claim.beacon)
    if (lit !== undefined) return lit
  }
  return isTouched(path, number, watchMs)
}

/** Watches a claim until it is touched, or for as long as a living holder would never take. */
async function isTouched(path: string, number: number, watchMs: number): Promise<boolean> {
  const first = stampOf(claimPath(path, number))
  for (let waited = 0; waited < watchMs; waited += watchMs / 15) {
    await new Promise(resolve => startTimeout(resolve, watchMs / 15))
    if (readClaim(claimPath(path, number))?.released) return false
    if (stampOf(claimPath(path, number)) !== first) return true
  }
  return false
}

/** Opened, because a network file system answers a mere stat from memory. */
function stampOf(path: string): string {
  try {
    const fd = fs.openSync(path, 'r')
    try {
      const { mtimeNs, size } = fs.fstatSync(fd, { bigint: true })
      return `${mtimeNs}-${size}`
    } finally {
      fs.closeSync(fd)
    }
  } catch (error) {
    return codeOf(error) ?? 'unknown'
  }
}

/** The directory's place, which stays if the directory itself is removed. */
function nameOf(path: string): string {
  const directory = dirname(path)
  const { dev, ino } = fs.statSync(dirname(directory), { bigint: true })
  return createHash('sha256')
    .update(`${dev}:${ino}/${basename(directory)}/${basename(path)}`)
    .digest('hex')
    .slice(0, 32)
}

function newestClaim(path: string): Claim | undefined {
  try {
    return readClaim(claimPath(path, claimNumbers(path).at(-1) ?? 0))
  } catch {
    return undefined
  }
}

function inodeOf(path: string): bigint | undefined {
  try {
    return fs.statSync(path, { bigint: true }).ino
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    if (cause instanceof LockHeldError) throw cause
    throw new PersistenceError(`cannot take the lock ${path}: ${messageOf(cause)}`, {
      component: 'lock',
      operation: 'lock',
      hint: 'the process needs permission to write to the directory',
      cause,
    })
  }
}
