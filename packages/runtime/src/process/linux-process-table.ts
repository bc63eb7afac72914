import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate as macrotask, setTimeout as pause } from 'node:timers/promises'
import { SystemError } from '@kron/core'
import { koffi, lastError, native } from '../native/native.ts'
import { watchPid } from '../native/pidfd.ts'
import { requireNative } from '../native/require-native.ts'
import { isDead, readProcessStat, readRealUser } from './proc-stat.ts'
import type { FoundProcess, ProcessIdentity, ProcessTable } from './process-table.ts'

const clockGettime = native<[clock: number, time: Uint8Array], number>(
  'int clock_gettime(int clock, void *time)',
)
const CLOCK_BOOTTIME = 7
const SLICE = 64
const LONGEST_POLL = 1_000
/** A member that forks and exits while /proc is read leaves a successor that this reading did not list. */
const LOOKS = 3
/** Milliseconds in which execve(2) is through. */
const EXEC = 2

/** The processes of this machine, from /proc. */
export function linuxProcessTable(): ProcessTable {
  if (process.platform !== 'linux') {
    throw new SystemError(`processes cannot be identified on ${process.platform}: there is no /proc`, {
      component: 'process',
      operation: 'identify',
    })
  }
  requireNative('watch processes')
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()

  const identify = (pid: number): ProcessIdentity | undefined => {
    const stat = readProcessStat(pid)
    return stat === undefined || isDead(stat) ? undefined : { pid, startTime: stat.startTime, bootId }
  }

  const isAlive = (process: ProcessIdentity): boolean =>
    process.bootId === bootId && identify(process.pid)?.startTime === process.startTime

  /** A PID is not given away while a group bears its number, so a stranger behind it means that the group is gone. */
  const groupExists = (leader: ProcessIdentity): boolean => {
    if (leader.bootId !== bootId) return false
    const stat = readProcessStat(leader.pid)
    return (stat === undefined || stat.startTime === leader.startTime) && sendToGroup(leader.pid, 0)
  }

  return {
    bootId: () => bootId,
    bootTime,
    identify,
    isAlive,
    findByEnvironment: variable => findByEnvironment(variable, identify),
    watchExit: (process, onExit) => watchExit(process, () => isAlive(process), onExit),
    signalGroup: (leader, signal) => groupExists(leader) && sendToGroup(leader.pid, signal),
    groupMembers: leader => {
      for (let look = 0; look < LOOKS && groupExists(leader); look++) {
        const members = membersOf(leader.pid)
        if (members.length > 0) return members
      }
      return []
    },
  }
}

function membersOf(group: number): number[] {
  return pids().filter(pid => {
    const stat = readProcessStat(pid)
    return stat !== undefined && stat.group === group && !isDead(stat)
  })
}

const time = Buffer.alloc(16)

function bootTime(): number {
  const wide = koffi().sizeof('long') === 8
  if (clockGettime(CLOCK_BOOTTIME, time) !== 0) {
    throw new SystemError(`cannot read CLOCK_BOOTTIME: ${lastError()}`, {
      component: 'process',
      operation: 'clock_gettime',
    })
  }
  return wide
    ? Number(time.readBigInt64LE(0)) * 1e3 + Number(time.readBigInt64LE(8)) / 1e6
    : time.readInt32LE(0) * 1e3 + time.readInt32LE(4) / 1e6
}

const pids = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger)

function sendToGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    if (signal === 0) return true
    throw new SystemError(`cannot signal the process group ${group}: ${(error as Error).message}`, {
      component: 'process',
      operation: 'kill',
      cause: error,
    })
  }
}

async function findByEnvironment(
  variable: string,
  identify: (pid: number) => ProcessIdentity | undefined,
): Promise<Map<string, FoundProcess[]>> {
  const found = new Map<string, FoundProcess[]>()
  for (const [index, pid] of pids().entries()) {
    if (index % SLICE === SLICE - 1) await macrotask()
    const environment = pid === process.pid ? undefined : await environmentWith(pid, variable)
    if (environment === undefined) continue
    const uid = readRealUser(pid)
    const identity = identify(pid)
    if (uid === undefined || identity === undefined) continue
    const value = environment.get(variable)!
    found.set(value, [...(found.get(value) ?? []), { identity, uid, environment }])
  }
  for (const processes of found.values())
    processes.sort((a, b) => seniority(a.identity) - seniority(b.identity))
  return found
}

/** A leader comes before its offspring even if they were born in the same tick or PIDs have wrapped around. */
const seniority = ({ pid, startTime }: ProcessIdentity): number =>
  readProcessStat(pid)?.group === pid ? 0 : startTime

/** All of the environment, if it has the variable. */
async function environmentWith(pid: number, variable: string): Promise<Map<string, string> | undefined> {
  let text = readEnvironment(pid)
  for (let looks = LOOKS; text === '' && looks > 1 && mayBeStarting(pid); looks--) {
    await pause(EXEC)
    text = readEnvironment(pid)
  }
  return text !== undefined && `\0${text}`.includes(`\0${variable}=`) ? parseEnvironment(text) : undefined
}

/** Empty while the process is being given its program. */
function readEnvironment(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    // It has ended, or belongs to somebody else.
    return undefined
  }
}

/** Whether it is alive and no thread of the kernel, which are in no group. */
function mayBeStarting(pid: number): boolean {
  const stat = readProcessStat(pid)
  return stat !== undefined && !isDead(stat) && stat.group !== 0
}

/** Of two values of one variable the first counts, as it does for getenv(3). */
function parseEnvironment(text: string): Map<string, string> {
  const environment = new Map<string, string>()
  for (const entry of text.split('\0')) {
    const equals = entry.indexOf('=')
    const name = entry.slice(0, equals)
    if (equals > 0 && !environment.has(name)) environment.set(name, entry.slice(equals + 1))
  }
  return environment
}

function watchExit(process: ProcessIdentity, isAlive: () => boolean, onExit: () => void): () => void {
  const watch = watchPid(process.pid, onExit)
  // Asked after the descriptor is open: from here on it cannot mean a later process of the same PID.
  if (isAlive() && watch !== undefined) return () => watch.stop()
  watch?.stop()
  return pollExit(isAlive, onExit)
}

function pollExit(isAlive: () => boolean, onExit: () => void): () => void {
  let timer: NodeJS.Timeout
  const look = (wait: number) => {
    if (!isAlive()) return onExit()
    timer = setTimeout(look, wait, Math.min(wait * 2, LONGEST_POLL))
  }
  timer = setTimeout(look, 0, 10)
  return () => clearTimeout(timer)
}
