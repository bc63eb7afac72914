// krontab on up to 1,000,000 jobs, and how long it takes to start beside an empty Node.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manyJobs } from '@kron/testkit/many-jobs'
import { median, ratio } from './measure.ts'
import { sized, sizes } from './quick.ts'
import { printCost, printCurve, printRatio, printTable } from './table.ts'

const SIZES = sizes([1_000, 10_000, 100_000, 1_000_000])
/** A job file has at most 64 MiB. */
const LINES_A_FILE = 250_000
const REPEATS = sized(3, 1)
const STARTS = sized(15, 5)
const bin = fileURLToPath(new URL('../../packages/krontab/bin/krontab.cjs', import.meta.url))
const AT = ['--at', '2026-03-01T00:00:00Z']

export default async function krontab(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kron-bench-'))
  try {
    measureScale(directory)
    const small = join(directory, 'small.kron')
    writeFileSync(small, manyJobs(8))
    measureStart(small)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Told by the process itself at its end; nothing else is changed. */
const TELL = `data:text/javascript,process.on('exit',()=>process.stderr.write(' '+process.resourceUsage().maxRSS))`

const COMMANDS = [['lint'], ['next'], ['forecast', '--for', '24h'], ['list', '--names']]

/** Ever more jobs: the time of each command, and the memory of the process. */
function measureScale(directory: string): void {
  const lines = COMMANDS.map(words => ({
    name: words.join(' '),
    seconds: [] as [number, number][],
    megabytes: [] as [number, number][],
  }))
  for (const jobs of SIZES) {
    const files = writeJobs(directory, jobs)
    for (const [i, words] of COMMANDS.entries()) {
      const repeats = jobs < 1_000_000 ? REPEATS : 1
      const runs = Array.from({ length: repeats }, () => timed(words, files))
      lines[i]!.seconds.push([jobs, median(runs.map(each => each.seconds))])
      lines[i]!.megabytes.push([jobs, Math.max(...runs.map(each => each.megabytes))])
    }
    for (const file of files) rmSync(file)
  }
  console.log()
  printCurve({
    title: 'krontab by number of jobs',
    unit: 's',
    lines: lines.map(({ name, seconds }) => ({ name, points: seconds })),
  })
  console.log()
  printCurve({
    title: 'krontab, memory by number of jobs',
    unit: 'MB',
    lines: lines.map(({ name, megabytes }) => ({ name, points: megabytes })),
  })
}

function writeJobs(directory: string, jobs: number): readonly string[] {
  const lines = manyJobs(jobs).split('\n').slice(0, -1)
  return Array.from({ length: Math.ceil(jobs / LINES_A_FILE) }, (_, part) => {
    const file = join(directory, `${jobs}-${part}.kron`)
    const own = lines.slice(part * LINES_A_FILE, (part + 1) * LINES_A_FILE)
    writeFileSync(file, `${own.join('\n')}\n`)
    return file
  })
}

function timed(words: readonly string[], files: readonly string[]): { seconds: number; megabytes: number } {
  const began = performance.now()
  const named = files.flatMap(file => ['--file', file])
  const stderr = run(['--import', TELL, bin, ...words, ...named, ...AT])
  const seconds = (performance.now() - began) / 1_000
  return { seconds, megabytes: Number(stderr.trim().split(' ').at(-1)) / 1_024 }
}

/** Each round starts every contender once, so that all meet the same machine. */
function measureStart(file: string): void {
  const contenders = {
    'node -e 0': ['-e', '0'],
    'krontab --version': [bin, '--version'],
    'krontab next, 8 jobs in 4 zones': [bin, 'next', '--file', file, ...AT],
  }
  const timings = Object.keys(contenders).map(name => ({ name, rounds: [] as number[] }))
  for (let round = 0; round < STARTS; round++) {
    for (const [i, words] of Object.values(contenders).entries()) {
      const began = performance.now()
      run(words)
      timings[i]!.rounds.push((performance.now() - began) * 1e6)
    }
  }
  const [bare] = timings
  console.log()
  printTable(
    [`start-up, ${STARTS} rounds`, 'wall time', 'times node -e 0'],
    timings.map(each => [each.name, printCost(each), printRatio(ratio(bare!, each))]),
  )
}

function run(words: readonly string[]): string {
  const { status, stderr } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status !== 0) throw new Error(`${words.join(' ')}: exit ${status}\n${stderr}`)
  return stderr
}

if (import.meta.main) await krontab()
