import { closeSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { LockHeldError } from '@kron/runtime'
import { livingHolder, openLockFile, writeHolder } from './lock-file.ts'
import { startServe } from './serve.ts'
import { shimPath } from './shim-path.ts'

/** Holds the lock of the state directory, as a daemon would, while `act` works. Throws a LockHeldError if it is taken. */
export async function underStateLock<T>(stateDir: string, act: () => Promise<T>): Promise<T> {
  const path = `${stateDir}/lock`
  const holder = livingHolder(path)
  if (holder !== undefined) throw new LockHeldError(path, holder)
  const lockFd = openLockFile(path)
  // serve starts nothing here, so its directories stay empty.
  const nowhere = mkdtempSync(`${tmpdir()}/kron-lock-`)
  try {
    const serve = await startServe({
      shim: shimPath(process.env, stateDir),
      claimsDir: nowhere,
      runsDir: nowhere,
      controlSocket: undefined,
      sync: false,
      lockFd,
      lockWaitMs: 0,
      cgroup: undefined,
      notifySocket: undefined,
      onWaiting: () => {},
      onDeath: () => {},
    })
    if (serve === undefined) throw new LockHeldError(path, undefined)
    writeHolder(lockFd)
    try {
      return await act()
    } finally {
      serve.close()
    }
  } finally {
    closeSync(lockFd)
    rmSync(nowhere, { recursive: true, force: true })
  }
}
