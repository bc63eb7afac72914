import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { native } from '../native/native.ts'
import { watchPid } from '../native/pidfd.ts'
import type { Exit } from '../process/process-table.ts'

const waitpid = native<[pid: number, status: Buffer, options: number], number>(
  'int waitpid(int pid, void *status, int options)',
)
const WNOHANG = 1
const SIGCHLD_BIT = 1n << 16n
const FIRST_LOOK = 10
const LONGEST_PAUSE = 500

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))
const status = Buffer.alloc(4)

/**
 * Waits for exactly this child and takes its exit status, leaving those of Node's own children alone.
 * `beforeReap` is called while the dead process can still be looked at, and perhaps earlier.
 */
export function reap(pid: number, beforeReap?: () => void): Promise<Exit> {
  return new Promise(resolve => {
    const look = (pause: number) => {
      beforeReap?.()
      const exit = takeStatus(pid)
      if (exit !== undefined) resolve(exit)
      else setTimeout(look, pause, Math.min(pause * 2, LONGEST_PAUSE))
    }
    // Without a descriptor for the process there is only asking again and again.
    if (watchPid(pid, () => look(FIRST_LOOK)) === undefined) look(FIRST_LOOK)
  })
}

/** Undefined while the process runs. */
function takeStatus(pid: number): Exit | undefined {
  const ended = waitpid(pid, status, WNOHANG)
  if (ended === 0) return undefined
  return ended === pid ? exitOf(status.readInt32LE()) : { kind: 'unknown' }
}

export function exitOf(status: number): Exit {
  const signal = status & 0x7f
  return signal === 0
    ? { kind: 'code', code: (status >> 8) & 0xff }
    : { kind: 'signal', signal: signalNames.get(signal) ?? `SIG${signal}` }
}

/** Whoever started us may have left SIGCHLD ignored, with which the kernel throws exit statuses away. */
export function keepExitStatuses(): void {
  const ignored = /^SigIgn:\s*(\w+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]
  if (ignored !== undefined && (BigInt(`0x${ignored}`) & SIGCHLD_BIT) !== 0n) process.on('SIGCHLD', () => {})
}
