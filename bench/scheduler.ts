// The scheduler beside its peers: registration, memory, a minute boundary, lateness, durable starts.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from './measure.ts'
import { loadPeers } from './peers.ts'
import { digits, printTable, printTarget } from './table.ts'

const ROUNDS = 5
/** A contender that is slower than this for one round is measured once. */
const PATIENCE_MS = 40_000
const PEERS = ['cron-schedule', 'node-cron', 'croner', 'node-schedule']
const child = fileURLToPath(new URL('./scheduler/child.ts', import.meta.url))

interface Result {
  readonly registerMs: number
  readonly bytes: number
  readonly worstLateMs: number
  readonly cpuMs: number
  readonly inTime: boolean
  /** Tasks that were due and never started. */
  readonly missed: number
}

interface Run {
  readonly name: string
  readonly size: number
  readonly due: number
}

function measure({ name, size, due }: Run, leadMs: number): Result {
  const args = [
    '--conditions=kron-source',
    '--expose-gc',
    '--max-old-space-size=8000',
    child,
    name,
    size,
    due,
    leadMs,
  ]
  const env = { ...process.env, TZ: 'Europe/Paris' }
  const { stdout, stderr, status } = spawnSync(process.execPath, args.map(String), { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} with ${size} tasks failed: ${stderr}`)
  return JSON.parse(stdout) as Result
}

/** Every contender once a round, so that all meet the same machine. */
function measureAll(runs: readonly Run[], leadOf: (run: Run) => number): Map<string, Result[]> {
  const results = new Map<string, Result[]>(runs.map(({ name }) => [name, []]))
  const tooSlow = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const run of runs) {
      if (tooSlow.has(run.name)) continue
      const began = performance.now()
      const result = measure(run, leadOf(run))
      if (!result.inTime)
        console.log(`  ${run.name}: still registering when the minute came; this round does not count`)
      else results.get(run.name)!.push(result)
      if (performance.now() - began > PATIENCE_MS) tooSlow.add(run.name)
    }
  }
  return results
}

const of = (results: readonly Result[], figure: (result: Result) => number): number =>
  median(results.map(figure))

/** Median of the rounds' ratios to Kron. */
function timesKron(results: Map<string, Result[]>, name: string, figure: (result: Result) => number): number {
  const [ours, theirs] = [results.get('Kron') ?? [], results.get(name) ?? []]
  const rounds = Math.min(ours.length, theirs.length)
  if (rounds === 0) return Number.NaN
  return median(
    theirs.slice(0, rounds).map((result, round) => figure(result) / Math.max(figure(ours[round]!), 1e-6)),
  )
}

const registered = new Map<string, number>()

function reportRegistration(size: number, names: readonly string[]): Map<string, Result[]> {
  console.log(`\nRegistering ${size.toLocaleString('en')} tasks`)
  const results = measureAll(
    names.map(name => ({ name, size, due: 0 })),
    () => 1_000_000,
  )
  const rows = names.map(name => {
    const own = results.get(name)!
    registered.set(
      `${name} ${size}`,
      of(own, result => result.registerMs),
    )
    return [
      name,
      `${digits((of(own, result => result.registerMs) * 1_000) / size)} µs`,
      `${digits(timesKron(results, name, result => result.registerMs))}×`,
      `${Math.round(of(own, result => result.bytes) / size)} B`,
      `${digits(timesKron(results, name, result => result.bytes))}×`,
      String(own.length),
    ]
  })
  printTable(['', 'a task', 'of Kron', 'memory a task', 'of Kron', 'rounds'], rows)
  return results
}

function reportBoundary(size: number, due: number, names: readonly string[]): Map<string, Result[]> {
  console.log(
    `\nA minute boundary: ${size.toLocaleString('en')} tasks, ${due.toLocaleString('en')} of them due`,
  )
  const runs = names.map(name => ({ name, size, due }))
  const results = measureAll(runs, ({ name }) => 3_000 + 2.5 * (registered.get(`${name} ${size}`) ?? 0))
  const rows = names.map(name => {
    const own = results.get(name)!
    return [
      name,
      `${Math.round(of(own, result => result.worstLateMs))} ms`,
      `${digits(timesKron(results, name, result => result.worstLateMs))}×`,
      `${Math.round(of(own, result => result.cpuMs))} ms`,
      `${digits(timesKron(results, name, result => result.cpuMs))}×`,
      String(of(own, result => result.missed)),
      String(own.length),
    ]
  })
  printTable(['', 'last start', 'of Kron', 'CPU', 'of Kron', 'missed', 'rounds'], rows)
  return results
}

export default async function scheduler(): Promise<void> {
  await loadPeers()
  reportRegistration(10_000, ['Kron', 'Kron, file store', ...PEERS])
  const many = reportRegistration(100_000, ['Kron', 'Kron, file store', 'cron-schedule'])
  reportRegistration(1_000_000, ['Kron', 'Kron, file store'])
  reportBoundary(10_000, 10_000, ['Kron', 'Kron, file store', ...PEERS])
  const all = reportBoundary(100_000, 100_000, ['Kron', 'Kron, file store', 'cron-schedule'])
  const some = reportBoundary(100_000, 1_000, ['Kron', 'Kron, file store', 'cron-schedule'])
  const million = reportBoundary(1_000_000, 1_000, ['Kron'])

  console.log('\nTargets')
  const versus = 'cron-schedule'
  printTarget(
    'registration of 100,000',
    timesKron(many, versus, result => result.registerMs),
    'at least',
    4,
    '× of cron-schedule',
  )
  printTarget(
    'memory a task',
    1 / timesKron(many, versus, result => result.bytes),
    'at most',
    0.2,
    '× of cron-schedule',
  )
  printTarget(
    'last of 100,000 starts',
    timesKron(all, versus, result => result.worstLateMs),
    'at least',
    4,
    '× of cron-schedule',
  )
  const durable = all.get('Kron, file store')!
  const perSecond = 100_000 / (of(durable, result => result.worstLateMs) / 1_000)
  printTarget('durable starts', perSecond, 'at least', 20_000, '/s')
  const growth =
    of(million.get('Kron')!, result => result.cpuMs) / of(some.get('Kron')!, result => result.cpuMs)
  printTarget('CPU of 1,000 due among 1,000,000, to 100,000', growth, 'at most', 2, '×')
}
