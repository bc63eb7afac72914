import { hash, randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { PersistenceError } from '@kron/core'

/** The location of claims and the control socket while the machine is up. */
export interface RuntimePlace {
  readonly path: string
  /** The directory is on a disk, so a claim must be synced to be as durable as an intent. */
  readonly sync: boolean
}

export interface RuntimeAccount {
  readonly uid: number
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The places to try, best first; the same for the daemon and for programs that look for it. */
export function runtimePlaces(
  account: RuntimeAccount,
  stateDir: string,
  defaultStateDir: string,
): readonly RuntimePlace[] {
  const runtime = account.uid === 0 ? '/run' : account.env['XDG_RUNTIME_DIR']
  const beside = { path: `${stateDir}/run`, sync: true }
  if (!runtime?.startsWith('/')) return [beside]
  // Two daemons with two state directories must not meet in one runtime directory.
  const own = stateDir === defaultStateDir ? 'krond' : `krond/${hash('sha256', stateDir, 'hex').slice(0, 12)}`
  return [{ path: `${runtime}/${own}`, sync: false }, beside]
}

/** A runtime directory that can be used. */
export interface RuntimeDirectory extends RuntimePlace {
  readonly claimsDir: string
  readonly controlSocket: string
  /** A random id, made with the directory: claims of another directory prove nothing. */
  readonly id: string
}

/** Creates the first place that can be created, with its claims directory. */
export function openRuntimeDirectory(places: readonly RuntimePlace[], uid: number): RuntimeDirectory {
  let problem: unknown
  for (const place of places) {
    try {
      return open(place, uid)
    } catch (error) {
      problem ??= error
    }
  }
  throw new PersistenceError(`cannot use a runtime directory: ${(problem as Error).message}`, {
    component: 'state',
    operation: 'prepare',
    hint: 'name a directory of your own with --runtime-dir',
    cause: problem,
  })
}

function open(place: RuntimePlace, uid: number): RuntimeDirectory {
  const claimsDir = `${place.path}/claims`
  mkdirSync(place.path, { recursive: true, mode: 0o755 })
  mkdirSync(claimsDir, { recursive: true, mode: 0o700 })
  for (const path of [place.path, claimsDir]) {
    const stats = lstatSync(path)
    if (!stats.isDirectory() || stats.uid !== uid || (stats.mode & 0o022) !== 0)
      throw new Error(`${path} is not a directory of this user alone`)
  }
  return { ...place, claimsDir, controlSocket: controlSocketOf(place), id: idOf(claimsDir) }
}

export const controlSocketOf = ({ path }: RuntimePlace): string => `${path}/control.sock`

function idOf(claimsDir: string): string {
  const path = `${claimsDir}/.id`
  try {
    writeFileSync(path, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'latin1').trim()
}

/**
 * Removes what a daemon made in the directory if no claim is left, and the directory if that leaves it empty. Anything else in
 * it stays: `--runtime-dir` may name any directory, and the usual one contains those of daemons with other state directories.
 */
export function closeRuntimeDirectory({ path, claimsDir, controlSocket }: RuntimeDirectory): void {
  const hidden = namesIn(claimsDir)
  if (hidden.some(name => !name.startsWith('.'))) return
  for (const name of hidden) rmSync(`${claimsDir}/${name}`, { force: true })
  rmSync(controlSocket, { force: true })
  for (const directory of [claimsDir, path]) removeIfEmpty(directory)
}

/** Somebody may have removed the directory: the daemon must end all the same. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** It may hold things of others, or lie in a directory of somebody else. */
function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    // A directory that stays does no harm.
  }
}
