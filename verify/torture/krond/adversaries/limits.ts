import { spawnSync } from 'node:child_process'
import { chownSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Chance } from '@kron/testkit/chance'
import { type Adversary, unexpected } from '../adversary.ts'

/** Users without a name, so that what else runs on the machine does not count. */
const FIRST_UID = 61_000
const USERS = 500
let users = 0

function limit(pid: number, what: string): void {
  spawnSync('prlimit', ['--pid', String(pid), what])
}

const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
const threads = (pid: number): number =>
  Number(/Threads:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)

/** A limit just above what the daemon uses now. */
function tightLimit(pid: number, chance: Chance): string {
  const more = chance.between(0, 4)
  switch (chance.pick(['files', 'processes', 'size'])) {
    case 'files':
      return `--nofile=${openFiles(pid) + more}:`
    case 'processes':
      return `--nproc=${threads(pid) + more}:`
    default:
      return `--fsize=${chance.between(0, 100_000)}:`
  }
}

/** Descriptors, processes or file sizes run out while the daemon, under a user of its own, is at work. */
export const limits: Adversary = {
  name: 'limits',
  obstacle: () => {
    if (process.getuid?.() !== 0) return 'a user of its own needs root'
    if (spawnSync('prlimit', ['--version']).status !== 0) return 'prlimit(1) is not installed'
    const look = spawnSync(process.execPath, ['--check', import.meta.filename], { uid: FIRST_UID })
    return look.status === 0 ? undefined : 'another user cannot read this directory'
  },
  prepare: arena => {
    const uid = FIRST_UID + (users++ % USERS)
    const { directory } = arena
    arena.uid = uid
    for (const path of [directory, `${directory}/jobs`, arena.jobFile, arena.stateDir, `${directory}/ran`])
      chownSync(path, uid, uid)
    return () => {}
  },
  round: async ({ arena, chance, deeds }) => {
    const life = arena.launch()
    await arena.sees(life, 'started_daemon')
    await pause(chance.between(0, 300))
    if (life.ended === undefined) limit(life.pid, tightLimit(life.pid, chance))
    deeds.limits++
    await Promise.race([life.exit, pause(chance.between(100, 2_500))])
    life.child.kill('SIGKILL')
    const exit = await life.exit
    if (exit.signal === 'SIGKILL') deeds.kills++
    // Node itself aborts when it gets no thread, and the kernel ends a process that writes beyond the file size limit.
    return exit.signal === 'SIGABRT' || exit.signal === 'SIGXFSZ' ? [] : unexpected(exit, 2, 4)
  },
}
