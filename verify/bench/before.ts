/**
 * The present engine, scheduler and daemon beside those of the commit before kron-shim, alternately, in one run. Starts of
 * commands are in launch.ts. Nothing is kept: the figures answer whether the redesign made Kron slower.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as core from '@kron/core'
import { manyJobs } from '@kron/testkit/many-jobs'
import { commandLine } from '../command-line.ts'
import { BEFORE_SHIM, earlierSources } from '../earlier.ts'
import { SECONDS } from './engine/inputs.ts'
import { BenchDaemon } from './krond/daemon.ts'
import { inMs, pause, spread } from './krond/workshop.ts'
import { compare, inverse, over, ratio } from './measure.ts'
import { Quiet } from './quiet.ts'
import { BEFORE } from './scheduler/contenders.ts'
import { type Figure, measureAll, middle, timesKron } from './scheduler/rounds.ts'
import { digits, printCost, printRatio, printTable } from './table.ts'

const USAGE = `usage: npm run verify -- bench-before [options]
  --rounds N    how often the two take turns (default 7)
  --jobs N      the jobs of the daemon (default 100000)

  npm run verify -- bench-before --rounds 3
`

const { values } = commandLine(USAGE, {
  rounds: { type: 'string', default: '7' },
  jobs: { type: 'string', default: '100000' },
})
const rounds = Number(values.rounds)
const jobs = Number(values.jobs)

const sources = earlierSources(BEFORE_SHIM)
if (sources === undefined) {
  console.error(`error: commit ${BEFORE_SHIM} cannot be had here (it needs the whole history, and npm)`)
  process.exit(1)
}
const quiet = new Quiet()
await engine(sources)
scheduler()
await daemon(sources)
const reasons = quiet.disturbances()
console.log(
  `\nthe machine ${reasons.length === 0 ? 'was left alone' : `was disturbed: ${reasons.join('; ')}`}`,
)

async function engine(earlier: string): Promise<void> {
  const before = (await import(join(earlier, 'packages/core/src/index.ts'))) as typeof core
  const works: readonly [string, (of: typeof core) => (second: number) => unknown][] = [
    ['next, Europe/Paris', searcher],
    ['decide, uniform', of => decider(of, '')],
    ['decide, constrained', of => decider(of, '@only(hours=0-23;dow=SUN-SAT;months=1-12)')],
    [
      'parse a schedule',
      of => second => of.parseSchedule(`${second % 60} 2 * * * @win(after,2h) @dist(normal)`),
    ],
  ]
  const timings = compare(
    works.flatMap(([name, make]) => [
      over(`${name}, before`, SECONDS, make(before)),
      over(name, SECONDS, make(core)),
    ]),
    { rounds: 3 * rounds, slices: 4, sliceMs: 5 },
  )
  console.log(`\nthe engine beside ${BEFORE_SHIM}, processor time of a call`)
  printTable(
    ['', 'before', 'now', 'now / before'],
    works.map(([name], i) => {
      const [old, present] = [timings[2 * i]!, timings[2 * i + 1]!]
      return [name, printCost(old), printCost(present), printRatio(ratio(old, present))]
    }),
  )
}

function searcher(of: typeof core): (second: number) => unknown {
  const cron = of.parseCron('*/5 9-17 * * 1-5', 'kron')
  if (!cron.ok) throw new Error('the expression cannot be read')
  const zone = of.findZone('Europe/Paris')!
  return second => of.next(cron.value, zone, second)
}

function decider(of: typeof core, modifiers: string): (second: number) => unknown {
  const schedule = of.parseSchedule(`0 * * * * @tz(Europe/Paris) @win(after,2h) ${modifiers}`)
  if (!schedule.ok) throw new Error(modifiers)
  const job = { identity: '/etc/krond.d/jobs.kron:backup', schedule: schedule.value }
  return second => of.decide(job, second - (second % 3_600))
}

function scheduler(): void {
  const results = measureAll(['Kron', BEFORE], jobs, jobs, rounds)
  const figures: readonly [string, Figure, (value: number) => string][] = [
    ['registering, thread', result => result.registration.threadMs, inMs],
    ['registering, all threads', result => result.registration.processMs, inMs],
    ['last start, thread', result => result.starts.threadMs, inMs],
    ['memory a task', result => result.bytes / jobs, value => `${digits(value)} B`],
  ]
  console.log(`\nthe scheduler with ${jobs.toLocaleString('en')} tasks, all due in one minute`)
  printTable(
    ['', 'before', 'now', 'now / before'],
    figures.map(([name, figure, text]) => [
      name,
      text(middle(results, BEFORE, figure)),
      text(middle(results, 'Kron', figure)),
      printRatio(inverse(timesKron(results, BEFORE, figure))),
    ]),
  )
}

/** The cost of one start with states, in ms and megabytes. */
interface Started {
  readonly ready: number
  readonly processor: number
  readonly resident: number
}

async function daemon(earlier: string): Promise<void> {
  if (!existsSync(join(earlier, 'packages/krond/dist/krond.cjs')) && !isBuilt(earlier)) return
  const contenders = [
    ['before', new BenchDaemon(manyJobs(jobs), earlier)],
    ['now', new BenchDaemon(manyJobs(jobs))],
  ] as const
  const found = new Map<string, Started[]>(contenders.map(([name]) => [name, []]))
  try {
    // The first start has no states yet.
    for (const [, each] of contenders) {
      await each.start()
      await each.stop()
    }
    for (let round = 0; round < rounds; round++)
      for (const [name, each] of round % 2 === 0 ? contenders : contenders.toReversed()) {
        await each.start()
        const [ready, processor] = [each.readyAfter, each.processorTime]
        await pause(4_000)
        found.get(name)!.push({ ready, processor, resident: each.residentMegabytes })
        await each.stop()
      }
  } finally {
    for (const [, each] of contenders) each.discard()
  }
  const [old, present] = [found.get('before')!, found.get('now')!]
  const row = (name: string, figure: (each: Started) => number, unit: string): string[] => {
    const text = (each: readonly Started[]): string => `${digits(spread(each.map(figure)).median)} ${unit}`
    const ratios = spread(present.map((each, round) => figure(each) / figure(old[round]!)))
    return [name, text(old), text(present), printRatio(ratios)]
  }
  console.log(`\nkrond with ${jobs.toLocaleString('en')} jobs and their states`)
  printTable(
    ['', 'before', 'now', 'now / before'],
    [
      row('until the first armed timer', each => each.ready, 'ms'),
      row('processor time until then', each => each.processor, 'ms'),
      row('resident four seconds later', each => each.resident, 'MB'),
    ],
  )
}

/** Builds the earlier daemon. */
function isBuilt(earlier: string): boolean {
  const built = spawnSync('npm', ['run', 'build'], { cwd: earlier, encoding: 'utf8' })
  if (built.status !== 0) console.error(`the daemon of ${BEFORE_SHIM} could not be built:\n${built.stderr}`)
  return built.status === 0
}
