import { chmodSync, chownSync, linkSync, type Stats, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { BAD_INPUT, Refusal } from './refusal.ts'

export interface Installation {
  readonly path: string
  readonly text: string
  /** Whose mode and owner the new file gets; a new file is readable by all. */
  readonly like?: Stats
  readonly replace: boolean
}

const NEW_FILE_MODE = 0o644

/** Puts a whole file into its place, durably: killed at any moment, the old or the new one is there. */
export async function install({ path, text, like, replace }: Installation): Promise<void> {
  const { nodeDisk, writeAtomically } = await import('@kron/runtime')
  const directory = dirname(path)
  // Hidden, so that nobody takes it for a job file.
  const beside = join(directory, `.${basename(path)}.${process.pid}.new`)
  try {
    await writeAtomically(nodeDisk, beside, text, 0o600)
    chmodSync(beside, like === undefined ? NEW_FILE_MODE : like.mode & 0o777)
    if (like !== undefined && like.uid !== process.getuid?.()) chownSync(beside, like.uid, like.gid)
    if (replace) await nodeDisk.rename(beside, path)
    else {
      // A link never replaces, whoever was quicker.
      linkSync(beside, path)
      unlinkSync(beside)
    }
    await nodeDisk.syncDirectory(directory)
  } catch (error) {
    await nodeDisk.remove(beside).catch(() => {})
    throw refused(path, error as NodeJS.ErrnoException)
  }
}

function refused(path: string, error: NodeJS.ErrnoException): Refusal {
  const { code } = (error.cause as NodeJS.ErrnoException | undefined) ?? error
  if (code === 'EEXIST')
    return new Refusal(BAD_INPUT, `${path} exists already`, 'use --replace to replace it')
  const hints: Readonly<Record<string, string>> = {
    EACCES: 'run it as a user who may write there',
    ENOENT: 'create the directory first',
    ENOSPC: 'make room on the disk',
  }
  return new Refusal(BAD_INPUT, `cannot write ${path}: ${error.message}`, hints[code ?? ''])
}
