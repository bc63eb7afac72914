/** krond beside Debian's cron and a bare loop of posix_spawn: needs `npm run build`, and root and gcc for the peers. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeDisk, systemClock } from '@kron/runtime'
import { StateStore } from '../packages/krond/src/state-store.ts'
import { manyJobs } from '../packages/krontab/src/many-jobs.test-support.ts'
import { Cron } from './krond/cron.ts'
import { BenchDaemon } from './krond/daemon.ts'
import { median } from './measure.ts'
import { printTable } from './table.ts'

const MINUTES = Number(process.env['KRON_BENCH_MINUTES'] ?? 5)
const PARTS = process.env['KRON_BENCH_KROND'] ?? 'lateness,burst,size,idle,durability'
const AT_ONCE = 1_000
const STAMPS_PER_MINUTE = 20

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
const source = (name: string): string => fileURLToPath(new URL(`./krond/${name}`, import.meta.url))

interface Workshop {
  readonly directory: string
  readonly stamp: string
  readonly bareSpawn: string
}

export default async function krond(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kron-bench-'))
  const compile = (name: string): string => {
    const program = join(directory, name)
    const { status, stderr } = spawnSync('cc', ['-O2', '-o', program, source(`${name}.c`)], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`cannot compile ${name}: ${stderr}`)
    return program
  }
  try {
    const workshop = { directory, stamp: compile('stamp'), bareSpawn: compile('bare-spawn') }
    const parts = { lateness, burst, size, idle, durability }
    for (const [name, measure] of Object.entries(parts)) if (PARTS.includes(name)) await measure(workshop)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Both daemons live through the same minutes. */
async function lateness({ directory, stamp }: Workshop): Promise<void> {
  const objection = Cron.objection()
  const [ours, theirs] = [join(directory, 'krond'), join(directory, 'cron')]
  const lines = Array.from(
    { length: STAMPS_PER_MINUTE },
    (_, i) => `* * * * * @win(after,50s) name=job-${i} command="${stamp} ${ours}"\n`,
  )
  const daemon = new BenchDaemon(lines.join(''))
  await daemon.start()
  const cron = new Cron()
  if (objection === undefined) cron.start([`* * * * * ${stamp} ${theirs}`])
  await pause(60_000 - (Date.now() % 60_000) + MINUTES * 60_000)
  await daemon.stop()
  if (objection === undefined) await cron.stop()
  const ms = stampsIn(ours).map(at => (at % 1e9) / 1e6)
  const rows = [['krond', String(ms.length), inMs(median(ms)), inMs(quantile(ms, 0.99))]]
  if (objection === undefined) {
    const peer = stampsIn(theirs).map(at => (at % 60e9) / 1e6)
    rows.push(['cron', String(peer.length), inMs(median(peer)), inMs(quantile(peer, 0.99))])
    rows.push(['cron / krond', '', `${Math.round(median(peer) / median(ms))}×`, ''])
  } else rows.push([`cron: not run (${objection})`, '', '', ''])
  printTable(['start lateness, one job at a time', 'starts', 'p50', 'p99'], rows)
  daemon.discard()
}

/** One minute each in turn, so that they do not disturb each other; the bare loop right after. */
async function burst({ directory, stamp, bareSpawn }: Workshop): Promise<void> {
  const objection = Cron.objection()
  const rounds: { ours: number; bare: number; theirs: number }[] = []
  for (let round = 0; round < MINUTES; round++) {
    const files = ['krond', 'bare', 'cron'].map(name => join(directory, `burst-${name}-${round}`)) as [
      string,
      string,
      string,
    ]
    const ours = await lastOfBurst(files[0], async () => {
      const lines = Array.from(
        { length: AT_ONCE },
        (_, i) => `* * * * * name=job-${i} command="${stamp} ${files[0]}"\n`,
      )
      const daemon = new BenchDaemon(lines.join(''))
      await daemon.start()
      await daemon.logged('finished', AT_ONCE)
      await daemon.stop()
      daemon.discard()
    })
    const began = Date.now()
    spawnSync(bareSpawn, [String(AT_ONCE), stamp, files[1]])
    const bare = Math.max(...stampsIn(files[1])) / 1e6 - began
    const theirs =
      objection !== undefined
        ? Number.NaN
        : await lastOfBurst(files[2], async () => {
            const cron = new Cron()
            cron.start(Array.from({ length: AT_ONCE }, () => `* * * * * ${stamp} ${files[2]}`))
            await untilStamped(files[2], AT_ONCE)
            await cron.stop()
          })
    rounds.push({ ours, bare, theirs })
  }
  const of = (key: 'ours' | 'bare' | 'theirs'): string => inMs(median(rounds.map(each => each[key])))
  const ratios = rounds.map(each => each.ours / each.bare)
  printTable(
    [`last of ${AT_ONCE} due in one second, ${MINUTES} rounds`, 'after', '× bare loop (range)'],
    [
      ['bare C loop of posix_spawn', of('bare'), '1'],
      [
        'krond, every start durable first',
        of('ours'),
        `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
      ],
      objection === undefined
        ? ['cron', of('theirs'), median(rounds.map(each => each.theirs / each.bare)).toFixed(2)]
        : [`cron: not run (${objection})`, '', ''],
    ],
  )
}

async function lastOfBurst(file: string, run: () => Promise<void>): Promise<number> {
  // A full minute must not begin while the daemon is still loading.
  if (Date.now() % 60_000 > 50_000) await pause(60_000 - (Date.now() % 60_000) + 100)
  await run()
  const stamps = stampsIn(file).slice(0, AT_ONCE)
  return Math.max(...stamps.map(at => (at % 60e9) / 1e6))
}

async function untilStamped(file: string, times: number): Promise<void> {
  writeFileSync(file, '', { flag: 'a' })
  while (stampsIn(file).length < times) await pause(20)
}

async function size(): Promise<void> {
  const rows: string[][] = []
  for (const count of [1, 10_000, 100_000]) {
    const daemon = new BenchDaemon(manyJobs(count))
    await daemon.start()
    const first = daemon.readyAfter
    await daemon.stop()
    await daemon.start()
    const resident = daemon.residentMegabytes
    const processor = daemon.processorTime
    const reloads: number[] = []
    for (let i = 0; i < 5; i++) reloads.push(await daemon.reload())
    rows.push([
      String(count),
      inMs(first),
      inMs(daemon.readyAfter),
      inMs(processor),
      inMs(median(reloads)),
      `${resident.toFixed(0)} MB`,
    ])
    await daemon.stop()
    daemon.discard()
  }
  printTable(['jobs', 'first start', 'start with state', 'its CPU time', 'reload unchanged', 'RSS'], rows)
}

async function idle(): Promise<void> {
  const rows: string[][] = []
  for (const count of [1, 100_000]) {
    const lines = Array.from({ length: count }, (_, i) => `0 0 29 2 * name=job-${i} command=/bin/true\n`)
    const daemon = new BenchDaemon(lines.join(''))
    await daemon.start()
    await pause(15_000)
    const [processor, wakeUps] = [daemon.processorTime, daemon.wakeUps]
    await pause(120_000)
    rows.push([
      String(count),
      inMs((daemon.processorTime - processor) / 2),
      String((daemon.wakeUps - wakeUps) / 2),
    ])
    await daemon.stop()
    daemon.discard()
  }
  printTable(['idle, jobs', 'CPU a minute', 'wake-ups a minute, all threads'], rows)
}

/** Intents as they come from many jobs at once, each durable before its promise resolves. */
async function durability({ directory }: Workshop): Promise<void> {
  const RECORDS = 20_000
  const rows: string[][] = []
  for (const waiting of [1, 8, 64]) {
    const state = mkdtempSync(join(directory, 'state-'))
    const fatal = (error: Error): never => {
      throw error
    }
    const store = await StateStore.open({
      disk: nodeDisk,
      directory: state,
      clock: systemClock,
      history: 50,
      fatal,
    })
    const total = waiting === 1 ? RECORDS / 20 : RECORDS
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < total) {
        const at = next++
        const time = '2026-03-01T00:00:00Z'
        const execution = {
          PeriodID: time,
          PID: 0,
          StartedAt: '',
          ChosenTime: time,
          ExecutionID: `e-${at}`,
          BootID: 'b',
          BootTime: 0,
          ProcessStart: 0,
        }
        await store.record(`/jobs.kron:job-${at % 100}`, at + 1, { kind: 'intended', execution })
      }
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: waiting }, lane))
    rows.push([String(waiting), `${Math.round(total / ((performance.now() - began) / 1_000))} /s`])
    await store.close()
  }
  printTable(['jobs that wait for the disk at a time', 'durable intents'], rows)
}

const stampsIn = (file: string): number[] =>
  readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number)
const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))]!
const inMs = (ms: number): string =>
  ms >= 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`

if (import.meta.main) await krond()
