import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { SystemError } from '@kron/core'
import { hostAccounts, livingHolder } from '@kron/host'
import { hasCode } from '@kron/runtime'

const problem = (message: string, hint: string, cause?: unknown): SystemError =>
  new SystemError(message, { component: 'daemon', operation: 'find', hint, cause })

/** The PID of the daemon that holds the state directory. */
export function daemonPid(stateDir: string): number | undefined {
  try {
    return livingHolder(`${stateDir}/lock`)
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM')) throw error
    throw problem(
      `Cannot tell whether krond is running: no permission to read ${stateDir}`,
      `try as ${ownerOf(`${stateDir}/lock`)}, or name another with --state-dir`,
      error,
    )
  }
}

/** The PID of the daemon; throws an error if there is none. */
export function requireDaemon(stateDir: string): number {
  const pid = daemonPid(stateDir)
  if (pid !== undefined) return pid
  throw problem(`no krond is running on ${stateDir}`, 'krond start, or name another with --state-dir')
}

export function signalDaemon(pid: number, signal: NodeJS.Signals, stateDir: string): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (hasCode(error, 'ESRCH')) {
      throw problem(
        `krond ${pid} holds ${stateDir}, but there is no process ${pid} here`,
        'it has just ended, or runs in a container: try there',
        error,
      )
    }
    if (!hasCode(error, 'EPERM')) throw error
    throw problem(
      `krond ${pid} is not yours to signal`,
      `try as ${ownerOf(`/proc/${pid}`)}, or send it ${signal} where it was started`,
      error,
    )
  }
}

/** The user who owns the path, or the nearest directory above that can be looked at. */
function ownerOf(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    const uid = uidOf(at)
    if (uid !== undefined || at === '/') return nameOf(uid ?? 0)
  }
}

function uidOf(path: string): number | undefined {
  try {
    return statSync(path).uid
  } catch {
    return undefined
  }
}

const nameOf = (uid: number): string => hostAccounts().findUser(String(uid))?.name ?? `user ${uid}`
