// krontab on 100,000 jobs, and how long it takes to start beside an empty Node: needs `npm run build`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manyJobs } from '../packages/krontab/src/many-jobs.test-support.ts'
import { median } from './measure.ts'

const JOBS = 100_000
const REPEATS = 5
const STARTS = 15
const bin = fileURLToPath(new URL('../packages/krontab/bin/krontab.cjs', import.meta.url))
const AT = ['--at', '2026-03-01T00:00:00Z']

type Report = (line: string) => void

export default async function krontab(report: Report = console.log): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kron-bench-'))
  try {
    const many = join(directory, 'many.kron')
    writeFileSync(many, manyJobs(JOBS))
    reportLoad(many, report)
    const small = join(directory, 'small.kron')
    writeFileSync(small, manyJobs(8))
    reportStart(small, report)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Told by the process itself at its end; nothing else is changed. */
const TELL = `data:text/javascript,process.on('exit',()=>process.stderr.write(' '+process.resourceUsage().maxRSS))`

function reportLoad(file: string, report: Report): void {
  report(`krontab on ${JOBS} jobs in one file      seconds      jobs/s   RSS MB`)
  for (const words of [['lint'], ['next'], ['forecast', '--for', '24h'], ['list', '--names']]) {
    const seconds: number[] = []
    let memory = 0
    for (let i = 0; i < REPEATS; i++) {
      const began = performance.now()
      const stderr = run(['--import', TELL, bin, ...words, '--file', file, ...AT])
      seconds.push((performance.now() - began) / 1_000)
      memory = Math.max(memory, Number(stderr.trim().split(' ').at(-1)) / 1_024)
    }
    const typical = median(seconds)
    const columns = [typical.toFixed(2), Math.round(JOBS / typical), Math.round(memory)]
    report(`  ${words.join(' ').padEnd(34)}${columns.map(each => String(each).padStart(11)).join('')}`)
  }
}

/** Each round starts every contender once, so that all meet the same machine. */
function reportStart(file: string, report: Report): void {
  const contenders = {
    'node -e 0': ['-e', '0'],
    'krontab --version': [bin, '--version'],
    'krontab next, 8 jobs in 4 zones': [bin, 'next', '--file', file, ...AT],
  }
  const spent = new Map<string, number[]>(Object.keys(contenders).map(name => [name, []]))
  for (let round = 0; round < STARTS; round++) {
    for (const [name, words] of Object.entries(contenders)) {
      const began = performance.now()
      run(words)
      spent.get(name)!.push(performance.now() - began)
    }
  }
  const bare = spent.get('node -e 0')!
  report(`start-up, ${STARTS} rounds                       ms    × node -e 0 (range)`)
  for (const [name, times] of spent) {
    const ratios = times.map((each, i) => each / bare[i]!)
    const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`
    report(
      `  ${name.padEnd(34)}${median(times).toFixed(0).padStart(6)}    ${median(ratios).toFixed(2)} (${range})`,
    )
  }
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
