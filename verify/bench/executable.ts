/** Size, start-up and memory of the single executable beside supercronic, Debian's cron and npm: `npm run verify -- bench-executable`. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { commandLine } from '../command-line.ts'
import { type Contender, contenders } from './executable/contenders.ts'

const USAGE = `usage: npm run verify -- bench-executable [--rounds N] [--settle SECONDS]

  --rounds N        how often each program is started, in turns (default: 21)
  --settle SECONDS  how long a daemon idles before its memory is read (default: 10)
`
const { values } = commandLine(USAGE, {
  rounds: { type: 'string', default: '21' },
  settle: { type: 'string', default: '10' },
})
const rounds = Number(values.rounds)
const settle = Number(values.settle)

interface Memory {
  readonly rss: number
  /** Without the pages of files, which others share and the kernel can drop. */
  readonly anonymous: number
}

function milliseconds([program, ...words]: readonly string[]): number {
  const began = performance.now()
  spawnSync(program!, words, { stdio: 'ignore' })
  return performance.now() - began
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Of a process and all below it, in kB. */
function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
  return childrenOf(pid)
    .map(memoryOf)
    .reduce((sum, each) => ({ rss: sum.rss + each.rss, anonymous: sum.anonymous + each.anonymous }), {
      rss: read('VmRSS'),
      anonymous: read('RssAnon'),
    })
}

async function idle(daemon: readonly string[]): Promise<Memory> {
  const child: ChildProcess = spawn(daemon[0]!, daemon.slice(1), { stdio: 'ignore' })
  const ended = new Promise(resolve => child.once('exit', resolve))
  await pause(settle * 1_000)
  if (child.exitCode !== null) throw new Error(`${daemon.join(' ')} ended by itself with ${child.exitCode}`)
  const memory = memoryOf(child.pid!)
  child.kill('SIGTERM')
  await ended
  return memory
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!

function print(
  all: readonly Contender[],
  times: readonly number[][],
  memories: readonly (Memory | undefined)[],
): void {
  const yardstick = times[0]!
  const rows = all.map(({ name, bytes }, n) => {
    const memory = memories[n]
    // Of each round by itself: the machine's mood is the same for both.
    const ratio = median(times[n]!.map((time, round) => time / yardstick[round]!))
    return [
      name,
      bytes === undefined ? '-' : `${(bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 0)} MB`,
      `${median(times[n]!).toFixed(0)} ms`,
      `${ratio.toFixed(2)}x`,
      memory === undefined ? '-' : `${(memory.rss / 1e3).toFixed(1)} MB`,
      memory === undefined ? '-' : `${(memory.anonymous / 1e3).toFixed(1)} MB`,
    ]
  })
  const head = ['', 'on disk', 'answers in', 'of node -e 0', 'idle RSS', 'without files']
  for (const [name, ...cells] of [head, ...rows])
    console.log([name!.padEnd(26), ...cells.map(cell => cell!.padStart(15))].join(''))
}

const work = mkdtempSync(join(tmpdir(), 'kron-bench-executable-'))
try {
  const all = await contenders(work)
  const load = loadavg()[0]!
  const times = all.map((): number[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [n, { answer }] of all.entries()) times[n]!.push(milliseconds(answer))
  const memories: (Memory | undefined)[] = []
  for (const { daemon } of all) memories.push(daemon === undefined ? undefined : await idle(daemon))
  print(all, times, memories)
  console.log(`medians of ${rounds} rounds in turns; load at the beginning ${load.toFixed(1)}`)
} finally {
  rmSync(work, { recursive: true })
}
