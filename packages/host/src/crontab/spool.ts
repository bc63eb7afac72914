import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from '@kron/core'
import type { UserAccount } from '../account/accounts.ts'
import { readJobFile } from '../job-file/read.ts'

/** The directory in which Debian keeps users' crontabs. */
export const DEFAULT_SPOOL = '/var/spool/cron/crontabs'

/** The crontabs of users, for a process that may read and write all of them. */
export class CrontabSpool {
  readonly #directory: string

  constructor(directory = DEFAULT_SPOOL) {
    this.#directory = directory
  }

  /** Undefined if the user has none. */
  read(user: string): string | undefined {
    const path = this.#pathOf(user)
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
    const read = readJobFile(path, { anyBytes: true })
    if (read.ok && !read.symlink) return read.text
    throw problem(read.ok ? 'the crontab is a link' : read.fault.message)
  }

  /** Replaces the whole crontab atomically: after a kill at any moment, either the old or the new one is there. */
  install({ name, uid }: UserAccount, text: string): void {
    const path = this.#pathOf(name)
    // Readers skip such names.
    const beside = join(this.#directory, `tmp.${randomBytes(8).toString('hex')}`)
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    const descriptor = openSync(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    try {
      writeFileSync(descriptor, text)
      if (process.getuid?.() === 0) fchownSync(descriptor, uid, statSync(this.#directory).gid)
      fchmodSync(descriptor, 0o600)
      fsyncSync(descriptor)
      renameSync(beside, path)
      syncDirectory(this.#directory)
    } catch (error) {
      rmSync(beside, { force: true })
      throw error
    } finally {
      closeSync(descriptor)
    }
  }

  /** False if the user had none. */
  remove(user: string): boolean {
    const path = this.#pathOf(user)
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return false
    rmSync(path)
    syncDirectory(this.#directory)
    return true
  }

  #pathOf(user: string): string {
    if (!/^[^/\0]+$/.test(user) || user.startsWith('.') || user.startsWith('tmp.'))
      throw problem(`${JSON.stringify(user)} cannot be the name of a crontab`)
    return join(this.#directory, user)
  }
}

function syncDirectory(path: string): void {
  const descriptor = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Whether a user may use crontab: if cron.allow exists, the users in it; else all not in cron.deny; root always. */
export function mayUseCrontab({ name, uid }: UserAccount, directory = '/etc'): boolean {
  if (uid === 0) return true
  const allowed = namesIn(join(directory, 'cron.allow'))
  if (allowed !== undefined) return allowed.includes(name)
  return !(namesIn(join(directory, 'cron.deny')) ?? []).includes(name)
}

function namesIn(path: string): readonly string[] | undefined {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map(line => line.trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    // An unreadable cron.allow allows nobody.
    return path.endsWith('allow') ? [] : undefined
  }
}

const problem = (message: string): ConfigurationError =>
  new ConfigurationError(message, { component: 'configuration', operation: 'change crontab' })
