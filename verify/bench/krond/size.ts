import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { manyJobs } from '@kron/testkit/many-jobs'
import { median } from '../measure.ts'
import type { Line } from '../notebook.ts'
import { sizes } from '../quick.ts'
import { StealWatch } from '../steal.ts'
import { printCurve, printTable, printTarget } from '../table.ts'
import { BenchDaemon } from './daemon.ts'
import { inMs, pause, spread } from './workshop.ts'

const SIZES = sizes([1, 1_000, 10_000, 100_000, 1_000_000])
/** Beyond this writing the state files takes longer than everything else. */
const MOST_WITH_STATE = 100_000
/** After a start the daemon needs a little more than two seconds to return the memory of loading. */
const TO_REST_MS = 3_000
/** No job runs today: at some hours one of them would start every second, and the daemon would never rest. */
const ANOTHER_DAY = (new Date().getUTCDay() + 3) % 7
const CODE_MB = 25
const BYTES_A_JOB = 400

interface Measured {
  readonly jobs: number
  readonly firstStart: number
  /** With the state files of a daemon that was stopped; several starts. */
  readonly starts: readonly number[]
  readonly processor: readonly number[]
  readonly reloads: readonly number[]
  readonly resident: number
  /** The share of the processors that was stolen while it started. */
  readonly stolen: readonly number[]
}

/** The cost of a daemon by its number of jobs: start, reload, memory. */
export async function size(rounds: number): Promise<void> {
  const baseline = await residentOfNode()
  const all: Measured[] = []
  for (const jobs of SIZES) all.push(await measure(jobs, rounds))
  const middle = (values: readonly number[]): string => (values.length === 0 ? '' : inMs(median(values)))
  printTable(
    [
      'jobs',
      'first start',
      'start with state',
      'its CPU time',
      'reload unchanged',
      'RSS',
      'stolen at the starts',
    ],
    all.map(each => [
      each.jobs.toLocaleString('en'),
      inMs(each.firstStart),
      middle(each.starts),
      middle(each.processor),
      middle(each.reloads),
      `${each.resident.toFixed(1)} MB`,
      each.stolen.map(share => `${(share * 100).toFixed(0)} %`).join(', '),
    ]),
  )
  const line = (name: string, value: (each: Measured) => number | undefined): Line => ({
    name,
    points: all.flatMap(each => {
      const y = value(each)
      return y === undefined || each.jobs === 1 ? [] : [[each.jobs, y] as const]
    }),
  })
  const times = [
    line('first start', each => each.firstStart),
    line('start with state', each => (each.starts.length === 0 ? undefined : median(each.starts))),
    line('reload unchanged', each => median(each.reloads)),
  ]
  printCurve({ title: 'krond by number of jobs', unit: 'ms', lines: times })
  printCurve({
    title: 'krond memory by number of jobs',
    unit: 'MB',
    lines: [line('RSS', each => each.resident)],
  })
  for (const { jobs, resident } of all) {
    const limit = baseline + CODE_MB + (jobs * BYTES_A_JOB) / 1e6
    printTarget(`RSS with ${jobs.toLocaleString('en')} jobs`, resident, 'at most', Math.round(limit), ' MB')
  }
  const large = all.find(each => each.jobs === MOST_WITH_STATE)!
  printTarget('start with 100,000 jobs and their states', spread(large.starts), 'at most', 2_000, ' ms')
  printTarget('first start with 100,000 jobs', large.firstStart, 'at most', 2_000, ' ms')
  printTarget('reload of 100,000 unchanged', spread(large.reloads), 'at most', 500, ' ms')
}

async function measure(jobs: number, rounds: number): Promise<Measured> {
  const daemon = new BenchDaemon(manyJobs(jobs, ANOTHER_DAY))
  try {
    const stolen: number[] = []
    const start = async (): Promise<void> => {
      const steal = new StealWatch()
      await daemon.start()
      stolen.push(steal.look())
    }
    await start()
    const firstStart = daemon.readyAfter
    const starts: number[] = []
    const processor: number[] = []
    for (let round = 0; jobs <= MOST_WITH_STATE && round < rounds; round++) {
      await daemon.stop()
      await start()
      starts.push(daemon.readyAfter)
      processor.push(daemon.processorTime)
    }
    await pause(TO_REST_MS)
    const resident = daemon.residentMegabytes
    const reloads: number[] = []
    for (let round = 0; round < rounds; round++) reloads.push(await daemon.reload())
    return { jobs, firstStart, starts, processor, reloads, resident, stolen }
  } finally {
    daemon.discard()
  }
}

/** Megabytes of a Node that does nothing. */
async function residentOfNode(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' })
  await pause(1_500)
  const status = readFileSync(`/proc/${child.pid}/status`, 'latin1')
  child.kill()
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024
}
