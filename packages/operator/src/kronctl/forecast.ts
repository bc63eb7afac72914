import { type Given, plural } from '@kron/cli'
import {
  addToForecast,
  emptyForecast,
  type Job,
  loadOf,
  parseDuration,
  printInstant,
  SECOND,
} from '@kron/core'
import { kronJobsPath } from '../cluster/paths.ts'
import type { KronJob } from '../manifest/kronjob.ts'
import { NO_FILES, namesFiles, type ScheduleFiles } from '../manifest/schedule-files.ts'
import type { FORECAST_OPTIONS } from './command.ts'
import { outputOf, printObject } from './output.ts'
import { connect, filesInCluster, instantOf, jobIn, subjects } from './subject.ts'
import { Complaint, type Terminal } from './terminal.ts'

type Options = Given<typeof FORECAST_OPTIONS>

const BAR = 40

/** Prints how many Jobs start at which time, and how many would start without windows. */
export async function runForecast(options: Options, terminal: Terminal): Promise<number> {
  const bucket = seconds('--bucket', options.bucket ?? '1h')
  const from = Math.floor(instantOf(options.at, terminal.now) / bucket) * bucket
  const forecast = emptyForecast(from, from + seconds('--for', options.for ?? '24h'), bucket)
  for (const job of await jobs(options, terminal)) addToForecast(forecast, job)
  const [spread, plain] = [loadOf(forecast.spread), loadOf(forecast.plain)]
  const output = outputOf(options)
  if (output === 'name') throw new Complaint('a forecast has no names to print: use -o json or -o yaml')
  if (output !== 'text') {
    const rows = [...forecast.spread].map((starts, i) => ({
      from: printInstant(from + i * bucket),
      starts,
      withoutWindows: forecast.plain[i],
    }))
    printObject({ from: printInstant(from), bucketSeconds: bucket, spread, plain, rows }, output, terminal)
    return 0
  }
  const most = Math.max(1, spread.peak, plain.peak)
  for (const [i, starts] of forecast.spread.entries()) {
    const bar = '█'.repeat(Math.ceil((starts / most) * BAR)).padEnd(BAR)
    terminal.out(
      `${printInstant(from + i * bucket)}  ${bar} ${starts} (${forecast.plain[i]} without windows)\n`,
    )
  }
  terminal.out(
    `peak: ${plural(spread.peak, 'start')} in ${options.bucket ?? '1h'}, ${plain.peak} without windows\n`,
  )
  return 0
}

async function jobs(options: Options, terminal: Terminal): Promise<Job[]> {
  if (options.filename.length > 0) return subjects(undefined, options, terminal)
  const { api, namespace } = await connect(options)
  const path = kronJobsPath(options['all-namespaces'] ? undefined : namespace)
  const { items } = await api.get<{ items: readonly KronJob[] }>(path)
  const jobs: Job[] = []
  const files = new Map<string, ScheduleFiles>()
  for (const kronJob of items) {
    const { namespace: own } = kronJob.metadata
    try {
      if (namesFiles(kronJob) && !files.has(own)) files.set(own, await filesInCluster(api, kronJob))
      jobs.push(jobIn(kronJob, options.salt, files.get(own) ?? NO_FILES))
    } catch (error) {
      terminal.error(`kronctl: left out: ${(error as Error).message}\n`)
    }
  }
  return jobs
}

export function seconds(option: string, text: string): number {
  const read = parseDuration(text)
  if (!read.ok) throw new Complaint(`${option}: ${read.faults[0]!.message}`)
  if (read.value < SECOND) throw new Complaint(`${option} must be at least 1s`)
  return Math.floor(read.value / SECOND)
}
