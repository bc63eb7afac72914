import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { upcoming } from '@kron/core'
import { ranTwice } from '@kron/testkit/once/once'
import type { Status } from '../../packages/krond/src/control/status.ts'
import { Arena, type Life } from '../torture/krond/arena.ts'
import { fakedWall } from '../torture/krond/wall.ts'

/** How the clock is wrong. */
export type Mode =
  /** It jumps while the daemon and a job run, and jumps back. */
  | 'running'
  /** It is wrong when a daemon starts, and right when the next one starts. */
  | 'start'
  /** It jumps back and forth. */
  | 'oscillating'
  /** The machine sleeps: every process stands still, and the clock is ahead when they go on. It stays so. */
  | 'suspended'

export interface Case {
  readonly mode: Mode
  /** Seconds by which the clock is wrong. */
  readonly offset: number
}

export interface Verdict extends Case {
  readonly problems: readonly string[]
  readonly runs: number
  readonly jumpsLogged: number
  readonly reopened: number
  /** Seconds from the right clock to the right plan, as far as they were looked at. */
  readonly rightAfter: number
}

const MINUTE = 60_000
/** The daemon starts this long before a minute, so that little time passes before the first runs. */
const LEAD = 6_000
/** An idle daemon wakes once a minute: until then it cannot know of a jump. */
const NOTICED_MS = 62_000
const LOOK_EVERY_MS = 3_000
const RECORDED = new Set(['started', 'missed_deadline', 'skipped_concurrency', 'constraint_unsatisfiable'])

/** Plays one case with the delivered daemon; the children count the executions. */
export async function play(given: Case, directory: string): Promise<Verdict> {
  const arena = new Arena(directory, { entry: '', cache: `${directory}/cache` })
  arena.wall = fakedWall(directory)
  const job = (schedule: string, name: string, more = ''): string =>
    `${schedule} name=${name} shell=true command="${(arena.says + more).replaceAll(/[\\"]/g, '\\$&')}"`
  arena.writeJobs([
    job('* * * * *', 'minutely'),
    job('* * * * *', 'long', '; sleep 40'),
    job('0 * * * *', 'hourly'),
    job('0 2 * * * @win(after,2h)', 'daily'),
  ])
  arena.step(MINUTE - (Date.now() % MINUTE) - LEAD)
  try {
    return await judged(given, arena, await wrongAndRight(given, arena))
  } finally {
    await arena.clear()
    arena.remove()
  }
}

/** Returns the daemon whose clock has just become right. */
async function wrongAndRight({ mode, offset }: Case, arena: Arena): Promise<Life> {
  const life = await launch(arena)
  await arena.waits(life, () => ran(arena, 'long') > 0 && ran(arena, 'minutely') > 0)
  switch (mode) {
    case 'running':
      arena.step(offset * 1_000)
      await jumpOrPatience(arena)
      arena.step(-offset * 1_000)
      return life
    case 'oscillating':
      for (let n = 0; n < 6; n++) {
        arena.step((n % 2 === 0 ? offset : -offset) * 1_000)
        if (n === 2) await jumpOrPatience(arena)
        else await pause(1_000)
      }
      return life
    case 'start': {
      await killed(life)
      arena.step(offset * 1_000)
      const wrong = await launch(arena)
      await pause(10_000)
      await killed(wrong)
      arena.step(-offset * 1_000)
      return launch(arena)
    }
    case 'suspended': {
      const processes = processesOf(arena)
      for (const pid of processes) process.kill(pid, 'SIGSTOP')
      arena.step(offset * 1_000)
      for (const pid of processes) process.kill(pid, 'SIGCONT')
      return life
    }
  }
}

/** The daemon, serve, the shims and their commands: all have a path of the arena in their environment. */
function processesOf({ directory }: Arena): readonly number[] {
  const isOfArena = (pid: number): boolean => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`=${directory}/`)
    } catch {
      return false
    }
  }
  return readdirSync('/proc').map(Number).filter(Number.isInteger).filter(isOfArena)
}

async function launch(arena: Arena): Promise<Life> {
  const life = arena.launch()
  if (!(await arena.sees(life, 'started_daemon')))
    throw new Error(`krond did not start: ${JSON.stringify(arena.log.slice(-3))}`)
  return life
}

async function killed(life: Life): Promise<void> {
  life.child.kill('SIGKILL')
  await life.exit
}

const count = (arena: Arena, event: string): number =>
  arena.pull().filter(line => line.event === event).length

/** Waits until the daemon has noticed a jump, and a little longer. */
async function jumpOrPatience(arena: Arena): Promise<void> {
  const before = count(arena, 'clock_jump')
  for (const end = Date.now() + NOTICED_MS; Date.now() < end && count(arena, 'clock_jump') === before; )
    await pause(500)
  await pause(5_000)
}

const written = new WeakMap<Arena, string[]>()

/** The lines that the children wrote: identity and period. */
function runsOf(arena: Arena): readonly string[] {
  const all = written.get(arena) ?? []
  for (const line of arena.ran()) all.push(line.split(' ').slice(0, 2).join(' '))
  written.set(arena, all)
  return all
}

const ran = (arena: Arena, name: string): number =>
  runsOf(arena).filter(each => each.includes(`:${name} `)).length

async function judged(given: Case, arena: Arena, life: Life): Promise<Verdict> {
  const problems: string[] = []
  const rightSince = Date.now()
  let wrong = ['it was not asked']
  let status: Status | undefined
  while (wrong.length > 0 && Date.now() - rightSince < NOTICED_MS) {
    await pause(LOOK_EVERY_MS)
    status = statusOf(arena)
    wrong = status === undefined ? ['krond does not answer'] : wrongPlans(arena, status)
  }
  const rightAfter = (Date.now() - rightSince) / 1_000
  for (const each of wrong) problems.push(`after a minute: ${each}`)
  const runs = ran(arena, 'minutely')
  const isRunAgain = await arena
    .waits(life, () => ran(arena, 'minutely') > runs || Date.now() - rightSince > 3 * MINUTE)
    .then(() => ran(arena, 'minutely') > runs)
  if (!isRunAgain) problems.push('minutely did not run again within three minutes')
  // A plan may be right before the daemon has noticed a short jump.
  status = statusOf(arena) ?? status
  const all = runsOf(arena)
  problems.push(...ranTwice(all))
  const jumpsLogged = count(arena, 'clock_jump')
  const reopened = count(arena, 'periods_reopened')
  const isJump = given.mode !== 'start' && Math.abs(given.offset) > 1
  if (isJump && jumpsLogged === 0) problems.push('no jump was logged')
  if (isJump && status?.clockJump === undefined) problems.push('status is silent about the jump')
  const isReopened = arena.log.slice(life.since).some(line => line.event === 'periods_reopened')
  if (isReopened && status?.clockWasAhead === undefined)
    problems.push('status is silent about reopened periods')
  return { ...given, problems, runs: all.length, jumpsLogged, reopened, rightAfter }
}

function statusOf(arena: Arena): Status | undefined {
  const words = ['status', '--format', 'json', '--state-dir', arena.stateDir]
  const { stdout } = spawnSync(process.execPath, [arena.wall.program, ...words], { encoding: 'utf8' })
  try {
    return JSON.parse(stdout) as Status
  } catch {
    return undefined
  }
}

/** Jobs whose next start is not their first period from now on without an outcome of its own. */
function wrongPlans(arena: Arena, status: Status): string[] {
  const now = Math.floor(arena.now() / 1_000)
  const recorded = new Set(
    arena
      .pull()
      .filter(line => RECORDED.has(line.event))
      .map(line => `${line['identity']} ${line['period_id']}`),
  )
  return arena.entries().flatMap(entry => {
    const planned = status.next.find(each => each.identity === entry.identity)?.at
    const expected: string[] = []
    for (const { chosen, nominal } of upcoming(entry, now - LOOK_EVERY_MS / 1_000)) {
      const periodId = print(nominal)
      if (chosen === null || recorded.has(`${entry.identity} ${periodId}`)) continue
      expected.push(print(chosen))
      // The time goes on between the two looks.
      if (chosen > now) break
    }
    if (planned !== undefined && expected.includes(planned)) return []
    return [`${entry.name} is planned for ${planned}, expected ${expected.join(' or ')}`]
  })
}

const print = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
