import { mkdirSync } from 'node:fs'
import { PersistenceError, type SystemError } from '@kron/core'
import {
  BootClock,
  livingHolder,
  openLockFile,
  openRuntimeDirectory,
  ownCgroup,
  type RuntimeDirectory,
  type Serve,
  shimPath,
  startServe,
  writeHolder,
} from '@kron/host'
import { LockHeldError } from '@kron/runtime'
import { account } from '../config/account.ts'
import type { DaemonOptions } from '../config/options.ts'
import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'

/** The serve of a daemon that has just ended may live on for a moment. */
const LOCK_WAIT_MS = 10_000

/** An address of a Unix socket has 108 bytes; serve first binds a name that is longer by `.new`, and ends it with a zero. */
const LONGEST_SOCKET_PATH = 103

/** The helper that starts runs, with the directories it works in. It holds the lock as long as it lives. */
export interface Launching {
  readonly serve: Serve
  readonly runtime: RuntimeDirectory
  readonly runsDir: string
  readonly bootClock: BootClock
}

export interface LaunchingParts {
  readonly options: Pick<DaemonOptions, 'stateDir' | 'runtimePlaces' | 'cgroup'>
  readonly emit: Emit
  readonly onDeath: (error: SystemError) => void
}

/** Starts `kron-shim serve`, which locks the state directory; throws a LockHeldError if another process holds the lock. */
export async function openLaunching({ options, emit, onDeath }: LaunchingParts): Promise<Launching> {
  const lockPath = `${options.stateDir}/lock`
  const holder = livingHolder(lockPath)
  if (holder !== undefined) throw new LockHeldError(lockPath, holder)
  const { uid, env } = account()
  const runtime = openRuntimeDirectory(options.runtimePlaces, uid)
  const runsDir = `${options.stateDir}/runs`
  const lockFd = writing(options.stateDir, () => {
    mkdirSync(runsDir, { recursive: true, mode: 0o700 })
    return openLockFile(lockPath)
  })
  const serve = await startServe({
    shim: shimPath(env, options.stateDir),
    claimsDir: runtime.claimsDir,
    runsDir,
    controlSocket: runtime.controlSocket,
    sync: runtime.sync,
    lockFd,
    lockWaitMs: LOCK_WAIT_MS,
    cgroup: options.cgroup === 'own' ? ownCgroup() : undefined,
    notifySocket: env['NOTIFY_SOCKET'],
    onWaiting: () => emit(events.waitingForLock(lockPath)),
    onDeath,
  })
  if (serve === undefined) throw new LockHeldError(lockPath, undefined)
  writeHolder(lockFd)
  if (Buffer.byteLength(runtime.controlSocket) > LONGEST_SOCKET_PATH)
    emit(
      events.warned(
        'listen on the control socket',
        `the path ${runtime.controlSocket} is longer than ${LONGEST_SOCKET_PATH} bytes: name a shorter directory with --runtime-dir`,
      ),
    )
  return { serve, runtime, runsDir, bootClock: new BootClock(serve.bootOffsetMs) }
}

/** A state directory that cannot be written is named; the service manager may start krond again later. */
function writing<T>(stateDir: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    throw new PersistenceError(
      `cannot write to the state directory ${stateDir}: ${(cause as Error).message}`,
      {
        component: 'state',
        operation: 'prepare',
        hint: 'is its file system full or read-only? --state-dir names another directory',
        cause,
      },
    )
  }
}
