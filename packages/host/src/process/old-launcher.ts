/**
 * Runs of daemons from before the shim: they have no claim, so they are found by KRON_EXECUTION_ID in /proc/PID/environ
 * and identified by PID and start time. To be removed with the next major version.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate as macrotask, setTimeout as pause } from 'node:timers/promises'
import { isDead, readProcessStat, readRealUser } from './proc.ts'

const SLICE = 64
const LONGEST_POLL_MS = 1_000
/** Milliseconds that SIGKILL may take. */
const KILL_PATIENCE_MS = 5_000
/** Passes over /proc: a process that forks and exits meanwhile leaves a child that one pass does not list. */
const LOOKS = 3
/** Milliseconds that execve(2) may take. */
const EXEC_MS = 2

export interface OldProcess {
  readonly pid: number
  /** In clock ticks since boot. */
  readonly processStart: number
}

/** A living process with the environment it began with. */
export interface FoundProcess extends OldProcess {
  readonly executionId: string
  /** The real user. */
  readonly uid: number
  readonly environment: ReadonlyMap<string, string>
}

/** Whether this very process is still running: a reused PID has another start time. */
export function isAlive({ pid, processStart }: OldProcess): boolean {
  const stat = readProcessStat(pid)
  return stat !== undefined && !isDead(stat) && stat.startTime === processStart
}

/** Resolves when the process is gone. */
export async function gone(process: OldProcess): Promise<void> {
  for (let wait = 10; isAlive(process); wait = Math.min(wait * 2, LONGEST_POLL_MS)) await pause(wait)
}

/** Sends SIGTERM to the group, waits for the grace period, sends SIGKILL; false if a process survived even that. */
export async function endGroup(leader: OldProcess, graceMs: number): Promise<boolean> {
  if (!signalGroup(leader, 'SIGTERM')) return !isAlive(leader)
  // A stopped process would not notice SIGTERM.
  signalGroup(leader, 'SIGCONT')
  if (await isGoneWithin(leader, graceMs)) return true
  signalGroup(leader, 'SIGKILL')
  return isGoneWithin(leader, KILL_PATIENCE_MS)
}

/** The processes whose first environment names an execution; of each execution the group's leader, else the oldest. */
export async function findExecutions(): Promise<readonly FoundProcess[]> {
  const found = new Map<string, FoundProcess>()
  for (const [index, pid] of pids().entries()) {
    if (index % SLICE === SLICE - 1) await macrotask()
    const environment = pid === process.pid ? undefined : await environmentOf(pid)
    const executionId = environment?.get('KRON_EXECUTION_ID')
    const stat = readProcessStat(pid)
    const uid = readRealUser(pid)
    if (executionId === undefined || stat === undefined || isDead(stat) || uid === undefined) continue
    const each = { pid, processStart: stat.startTime, executionId, uid, environment: environment! }
    const other = found.get(executionId)
    if (other === undefined || seniority(each) < seniority(other)) found.set(executionId, each)
  }
  return [...found.values()]
}

/** A leader comes before its descendants even if they began in the same tick or PIDs have wrapped around. */
const seniority = ({ pid, processStart }: OldProcess): number =>
  readProcessStat(pid)?.group === pid ? 0 : processStart

const pids = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger)

/** A PID is not reused while a group has its number, so another process with this PID means that the group is gone. */
function groupExists({ pid, processStart }: OldProcess): boolean {
  const stat = readProcessStat(pid)
  return (stat === undefined || stat.startTime === processStart) && sendToGroup(pid, 0)
}

const signalGroup = (leader: OldProcess, signal: NodeJS.Signals): boolean =>
  groupExists(leader) && sendToGroup(leader.pid, signal)

function sendToGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function isGoneWithin(leader: OldProcess, milliseconds: number): Promise<boolean> {
  let left = milliseconds
  let wait = 5
  while (isAlive(leader) || hasMembers(leader)) {
    if (left <= 0) return false
    await pause(Math.min(wait, left))
    left -= wait
    wait = Math.min(wait * 2, 250)
  }
  return true
}

function hasMembers(leader: OldProcess): boolean {
  for (let look = 0; look < LOOKS && groupExists(leader); look++) {
    const isMember = (pid: number): boolean => {
      const stat = readProcessStat(pid)
      return stat !== undefined && stat.group === leader.pid && !isDead(stat)
    }
    if (pids().some(isMember)) return true
  }
  return false
}

/** The environment of a process; empty for a moment while the kernel loads its program. */
async function environmentOf(pid: number): Promise<Map<string, string> | undefined> {
  for (let look = 0; look < LOOKS; look++) {
    let text: string
    try {
      text = readFileSync(`/proc/${pid}/environ`, 'utf8')
    } catch {
      return undefined
    }
    if (text !== '') return parseEnvironment(text)
    const stat = readProcessStat(pid)
    // Threads of the kernel are in no group.
    if (stat === undefined || isDead(stat) || stat.group === 0) return undefined
    await pause(EXEC_MS)
  }
  return undefined
}

/** If a variable occurs twice, the first value counts, as for getenv(3). */
function parseEnvironment(text: string): Map<string, string> {
  const environment = new Map<string, string>()
  for (const entry of text.split('\0')) {
    const equals = entry.indexOf('=')
    const name = entry.slice(0, equals)
    if (equals > 0 && !environment.has(name)) environment.set(name, entry.slice(equals + 1))
  }
  return environment
}
