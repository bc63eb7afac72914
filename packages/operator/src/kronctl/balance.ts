import type { Given } from '@kron/cli'
import { type Balance, balance, baseOf, leastPeak, loadOf, printInstant } from '@kron/core'
import { changeManifestSalts } from '../manifest/change-salt.ts'
import type { BALANCE_OPTIONS } from './command.ts'
import { filesOf } from './files.ts'
import { seconds } from './forecast.ts'
import { outputOf, printObject } from './output.ts'
import { filesInManifests, instantOf, jobsOf } from './subject.ts'
import { Complaint, type Terminal } from './terminal.ts'

type Options = Given<typeof BALANCE_OPTIONS>

const DAY = 86_400

/** Chooses salts that minimize the peak load of the manifests. */
export async function runBalance(options: Options, terminal: Terminal): Promise<number> {
  if (options.filename.length === 0)
    throw new Complaint('give manifests with -f: salts are written into files, not into a cluster')
  const bucket = seconds('--bucket', options.bucket ?? '1m')
  const now = instantOf(options.at, terminal.now)
  // All runs on one day use the same start time, so that the second run finds nothing to change.
  const from = options.at === undefined ? now - (now % DAY) : now
  const span = { from, to: from + seconds('--for', options.for ?? '168h'), bucket }
  const files = filesOf(options.filename, terminal)
  const schedules = filesInManifests(files, options, terminal)
  const found = files.flatMap(file =>
    jobsOf(file, { ...options, salt: undefined }, terminal, schedules).map(job => ({ file, job })),
  )
  const jobs = found.map(({ job }) => {
    const written = job.schedule.seed.salt || (options.salt ?? '')
    return { job, written, base: baseOf(written) }
  })
  const result = balance(jobs, written => [written], span)
  const changes = found.flatMap(({ file, job }, i) =>
    result.salts[i] === jobs[i]!.written
      ? []
      : [{ kronJob: job.identity, file, from: job.schedule.seed.salt, to: result.salts[i]! }],
  )
  if (options.write) write(files, changes, options, terminal)
  const output = outputOf(options)
  if (output === 'name') throw new Complaint('a balance has no names to print: use -o json or -o yaml')
  if (output !== 'text')
    printObject({ ...documentOf(result), changes, written: options.write }, output, terminal)
  else print(result, changes, options, terminal)
  return 0
}

interface Change {
  readonly kronJob: string
  readonly file: string
  readonly from: string
  readonly to: string
}

function write(
  files: readonly string[],
  changes: readonly Change[],
  options: Options,
  terminal: Terminal,
): void {
  for (const file of files) {
    const salts = new Map(changes.filter(each => each.file === file).map(each => [each.kronJob, each.to]))
    if (salts.size === 0) continue
    if (terminal.write === undefined || file === '-')
      throw new Complaint('salts cannot be written to standard input: name a file with -f')
    terminal.write(file, changeManifestSalts(terminal.read(file), salts, options.namespace ?? 'default'))
  }
}

const documentOf = (result: Balance) => ({
  from: printInstant(result.span.from),
  to: printInstant(result.span.to),
  bucketSeconds: result.span.bucket,
  before: loadOf(result.before),
  after: loadOf(result.after),
  leastPeak: leastPeak(result),
})

function print(result: Balance, changes: readonly Change[], options: Options, terminal: Terminal): void {
  const [before, after] = [loadOf(result.before), loadOf(result.after)]
  terminal.out(
    `peak ${before.peak} starts in a bucket now, ${after.peak} balanced; mean ${before.mean.toFixed(2)}, with as many starts no choice is below ${leastPeak(result)}\n`,
  )
  for (const { kronJob, from, to } of changes)
    terminal.out(`${kronJob}: salt ${JSON.stringify(from)} becomes ${JSON.stringify(to)}\n`)
  if (changes.length === 0) terminal.out('nothing to change\n')
  else
    terminal.out(
      options.write ? 'written; apply the manifests to take them up\n' : '--write puts them into the files\n',
    )
}
