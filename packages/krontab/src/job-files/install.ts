import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { PathTrust } from '@kron/host'
import { badInput, type Refusal } from '../context/refusal.ts'

export interface Installation {
  readonly path: string
  readonly text: string
  /** The file whose mode and owner the new file gets; without it, the new file is readable by all. */
  readonly like?: Stats
  readonly replace: boolean
  readonly trust: PathTrust
}

const NEW_FILE_MODE = 0o644

/** Refuses to change files in a directory in which other users could swap them meanwhile. */
export function requireSafeDirectory(path: string, trust: PathTrust): void {
  const unsafe = trust.directoryProblems(dirname(path))[0]
  if (unsafe !== undefined) throw badInput(`cannot change ${path}: ${unsafe.message}`, unsafe.hint)
}

/** Installs a whole file durably: after a kill at any moment, either the old or the new one is there. */
export async function install(installation: Installation): Promise<void> {
  const { path, replace, trust } = installation
  requireSafeDirectory(path, trust)
  const directory = dirname(path)
  // Hidden, so that it is not read as a job file.
  const beside = join(directory, `.${basename(path)}.${randomBytes(6).toString('hex')}.new`)
  try {
    writeNew(beside, installation)
    // link(2) never replaces a file that another process created meanwhile.
    if (replace) renameSync(beside, path)
    else linkSync(beside, path)
    const { nodeDisk } = await import('@kron/runtime')
    if (!replace) await nodeDisk.remove(beside)
    await nodeDisk.syncDirectory(directory)
  } catch (error) {
    removeIfThere(beside)
    throw refused(path, error as NodeJS.ErrnoException)
  }
}

/** Owner and mode are set through the descriptor: even if the name now means another file, that file is not changed. */
function writeNew(beside: string, { text, like }: Installation): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
  const descriptor = openSync(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    writeFileSync(descriptor, text)
    if (like !== undefined && like.uid !== process.getuid?.()) fchownSync(descriptor, like.uid, like.gid)
    fchmodSync(descriptor, like === undefined ? NEW_FILE_MODE : like.mode & 0o777)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // The message of the original failure matters more.
  }
}

function refused(path: string, error: NodeJS.ErrnoException): Refusal {
  const { code } = (error.cause as NodeJS.ErrnoException | undefined) ?? error
  if (code === 'EEXIST') return badInput(`${path} exists already`, 'use --replace to replace it')
  const hints: Readonly<Record<string, string>> = {
    EACCES: 'run it as a user who may write there',
    ENOENT: 'create the directory first',
    ENOSPC: 'make room on the disk',
  }
  return badInput(`cannot write ${path}: ${error.message}`, hints[code ?? ''])
}
