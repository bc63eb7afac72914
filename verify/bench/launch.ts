/**
 * Starts of the present daemon beside those of the commit before kron-shim and a bare posix_spawn loop, alternately, in
 * the same minutes. Each command writes the time of its own first instructions: that is its start. Other work on the machine
 * changes these times more than processor time, so both are printed.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Krond } from '@kron/testkit/krond/blackbox/krond'
import { commandLine } from '../command-line.ts'
import { BEFORE_SHIM, earlierSources } from '../earlier.ts'
import { makeWorkshop, pause, quantile, stampsIn } from './krond/workshop.ts'

const USAGE = `usage: npm run verify -- bench-launch [options]
  --rounds N    how often the three take turns (default 5)
  --jobs N      the starts of a burst (default 1000)

  npm run verify -- bench-launch --rounds 3
`

const { values } = commandLine(USAGE, {
  rounds: { type: 'string', default: '5' },
  jobs: { type: 'string', default: '1000' },
})
const rounds = Number(values.rounds)
const jobs = Number(values.jobs)
const PERIOD = Date.parse('2026-03-01T12:00:00Z')
/** From the start of a daemon to the period, in ms. */
const LEAD = 10_000
/** Milliseconds of a clock tick, the unit of processor time in /proc. */
const TICK = 10

const earlier = earlierSources(BEFORE_SHIM)
if (earlier === undefined) {
  console.error(`error: commit ${BEFORE_SHIM} cannot be had here (it needs the whole history, and npm)`)
  process.exit(1)
}
const directory = mkdtempSync(join(tmpdir(), 'kron-launch-'))
const { bareSpawn, stamp } = makeWorkshop(directory)
let files = 0
const newFile = (): string => {
  const file = join(directory, `stamps-${++files}`)
  writeFileSync(file, '')
  return file
}

/** What one burst cost, in ms. */
interface Burst {
  readonly last: number
  readonly half: number
  /** Processor time of the daemon, and of everything else that the starts and ends took. */
  readonly daemon: number
  readonly others: number
}

/** Processor time in ms of a process, and of the children it has waited for. */
function usedBy(pid: number): { self: number; children: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  return { self: (fields[11]! + fields[12]!) * TICK, children: (fields[13]! + fields[14]!) * TICK }
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap(task =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

function usedByDaemon(pid: number): { daemon: number; others: number } {
  const { self, children } = usedBy(pid)
  const serves = childrenOf(pid).map(usedBy)
  return { daemon: self, others: serves.reduce((sum, each) => sum + each.self + each.children, children) }
}

async function burstOf(count: number, sources: string | undefined): Promise<Burst> {
  const undo: (() => unknown)[] = []
  const context = { after: (act: () => unknown) => undo.push(act) } as unknown as TestContext
  // Claims lie in memory, as they do in /run.
  const runtimeDir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'kron-launch-'))
  undo.push(() => rmSync(runtimeDir, { recursive: true, force: true, maxRetries: 20 }))
  const began = Date.now()
  const krond = new Krond(context, { at: PERIOD - LEAD, runtimeDir })
  const file = newFile()
  const line = (i: number): string =>
    `0 * * * * @policy(deadline=5m) name=job-${i} stdout=discard stderr=discard command="${stamp} ${file}"`
  krond.write(Array.from({ length: count }, (_, i) => line(i)))
  await krond.start(sources === undefined ? {} : { earlier: sources })
  await pause(began + LEAD - 1_000 - Date.now())
  const before = usedByDaemon(krond.pid)
  await pause(began + LEAD + 1_000 - Date.now()) // no look at the log competes with the starts
  await krond.eventually(() => krond.events('finished').length >= count, 'all runs to end')
  await pause(200)
  const after = usedByDaemon(krond.pid)
  await krond.stop()
  const due = Date.now() + PERIOD - krond.now()
  const found = stampsIn(file).map(at => at / 1e6 - due)
  for (const act of undo) await act()
  return {
    last: Math.max(...found),
    half: quantile(found, 0.5),
    daemon: after.daemon - before.daemon,
    others: after.others - before.others,
  }
}

function bareLoop(): Burst {
  const file = newFile()
  const began = Date.now()
  const [, used] = execFileSync(bareSpawn, [String(jobs), stamp, file], { encoding: 'utf8' })
    .split(' ')
    .map(Number)
  const found = stampsIn(file).map(at => at / 1e6 - began)
  return { last: Math.max(...found), half: quantile(found, 0.5), daemon: 0, others: used! }
}

const contenders: readonly [string, () => Burst | Promise<Burst>][] = [
  ['bare loop', bareLoop],
  ['before', () => burstOf(jobs, earlier)],
  ['now', () => burstOf(jobs, undefined)],
]
const bursts = new Map<string, Burst[]>(contenders.map(([name]) => [name, []]))
const singles = new Map<string, number[]>()
const whole = (ms: number): string => ms.toFixed(0)
try {
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const [name, measure] = contenders[(turn + round) % contenders.length]!
      const burst = await measure()
      bursts.get(name)!.push(burst)
      const cost = `daemon ${whole(burst.daemon)} ms, all others ${whole(burst.others)} ms of processor time`
      console.log(
        `round ${round + 1}, ${name}: last of ${jobs} after ${whole(burst.last)} ms; ${cost}; load ${loadavg()[0]}`,
      )
    }
    for (const [name, sources] of [['before', earlier] as const, ['now', undefined] as const])
      singles.set(name, [...(singles.get(name) ?? []), (await burstOf(1, sources)).last])
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
const median = (numbers: readonly number[]): number => quantile(numbers, 0.5)
for (const [name, all] of bursts) {
  const of = (key: keyof Burst): string => whole(median(all.map(burst => burst[key])))
  const single = singles.get(name)
  const alone = single === undefined ? '' : `, a single start ${whole(median(single))} ms`
  console.log(
    `${name}: medians of ${rounds}: last of ${jobs} starts after ${of('last')} ms, half of them ${of('half')} ms${alone}; processor time: daemon ${of('daemon')} ms, all others ${of('others')} ms`,
  )
}
for (const name of ['before', 'bare loop']) {
  const ratios = bursts.get('now')!.map(({ last }, i) => last / bursts.get(name)![i]!.last)
  console.log(
    `now to ${name}, round by round: ${ratios.map(ratio => ratio.toFixed(2)).join(' ')}; median ${median(ratios).toFixed(2)}`,
  )
}
