import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { IncompatibleStateError, PersistenceError } from '@kron/core'

/** Creates the directory if it is missing, and refuses one that other users may read or change. */
export function prepareStateDirectory(path: string, uid: number): void {
  try {
    if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(path, 0o700)
  } catch (cause) {
    throw new PersistenceError(`cannot make the state directory ${path}: ${(cause as Error).message}`, {
      component: 'state',
      operation: 'prepare',
      hint: 'name another with --state-dir',
      cause,
    })
  }
  const stats = lstatSync(path)
  const refuse = (message: string, hint: string): never => {
    throw new IncompatibleStateError(`${path} ${message}`, { component: 'state', operation: 'prepare', hint })
  }
  if (!stats.isDirectory()) refuse('is not a directory', 'name a directory of its own with --state-dir')
  if (stats.uid !== uid) refuse(`belongs to user ${stats.uid}, not to the daemon`, `chown ${uid} ${path}`)
  if ((stats.mode & 0o077) !== 0) refuse('may be used by others', `chmod 0700 ${path}`)
}
