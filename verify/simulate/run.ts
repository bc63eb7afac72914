/** Random histories with faults, checked at every step. */
import { Worker } from 'node:worker_threads'
import { commandLine } from '../command-line.ts'
import { readRuns, record, runOf } from './record.ts'
import { add, emptyReport, type Finding, PARTS, type Part, spanOf, summary, YEAR } from './report.ts'
import type { Block, BlockReport } from './worker.ts'

const RECORD = 'verify/reliability/simulation.json'
const BLOCK = 10
const PROGRESS = 60_000
/** In this many years every kind of fault occurs. */
const MANY_YEARS = 100 * YEAR

const USAGE = `usage: npm run verify -- simulate [options]
  --of PART      krond, scheduler or all (default all)
  --seeds N      histories of each part (default 20)
  --from N       the first seed (default 0, or the first that is not on record)
  --for SPAN     how long each history is (default 1y)
  --jobs N       histories lived through at a time (default 1)
  --record       add what was done to verify/reliability/simulation.json
  --to FILE      add it to this file instead

  npm run verify -- simulate --seeds 200 --jobs 2
  npm run verify -- simulate --of krond --from 7409 --seeds 1 --for 1y    one history again
`

const { values } = commandLine(USAGE, {
  of: { type: 'string', default: 'all' },
  seeds: { type: 'string', default: '20' },
  from: { type: 'string' },
  for: { type: 'string', default: '1y' },
  jobs: { type: 'string', default: '1' },
  record: { type: 'boolean', default: false },
  to: { type: 'string' },
})

const recordTo = values.to ?? (values.record ? RECORD : undefined)
const parts = PARTS.filter(part => values.of === 'all' || values.of === part)
if (parts.length === 0) throw new RangeError(`--of is krond, scheduler or all, got ${values.of}`)
const span = spanOf(values.for)
const began = performance.now()
const minutes = (): number => (performance.now() - began) / 60_000
const reports = new Map(parts.map(part => [part, emptyReport()]))
const firsts = new Map(parts.map(part => [part, firstSeed(part)]))
const done = new Map(parts.map(part => [part, 0]))
const findings: Finding[] = []
const blocks = blocksOf(Number(values.seeds))
const id = new Date().toISOString()

/** Recorded seeds are not simulated again. */
function firstSeed(part: Part): number {
  if (values.from !== undefined) return Number(values.from)
  if (recordTo === undefined) return 0
  return Math.max(0, ...readRuns(recordTo).flatMap(run => (run.part === part ? [run.seeds[1] + 1] : [])))
}

function* blocksOf(seeds: number): Generator<Block> {
  for (let at = 0; at < seeds; at += BLOCK) {
    for (const part of parts) yield { part, from: firsts.get(part)! + at, count: Math.min(BLOCK, seeds - at) }
  }
}

function take({ block, report, findings: found }: BlockReport): void {
  add(reports.get(block.part)!, report)
  done.set(block.part, done.get(block.part)! + block.count)
  for (const finding of found) {
    findings.push(finding)
    console.error(`violation: ${finding.message}`)
    console.error(
      `  again: npm run verify -- simulate --of ${finding.part} --from ${finding.seed} --seeds 1 --for ${values.for}`,
    )
  }
}

function save(): void {
  if (recordTo === undefined) return
  const runs = parts.flatMap(part => {
    const first = firsts.get(part)!
    const seeds = [first, first + done.get(part)! - 1] as const
    return done.get(part) === 0
      ? []
      : [runOf(reports.get(part)!, { id: `${part} ${id}`, part, seeds, minutes: minutes() })]
  })
  if (runs.length > 0) record(recordTo, runs)
}

function tell(): void {
  for (const [part, report] of reports) console.log(`${part}: ${summary(report, minutes())}`)
}

/** One worker takes block after block. */
function work(): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('worker.ts', import.meta.url), {
      workerData: { span, traces: values.seeds === '1' },
    })
    const next = (): void => {
      const { value: block } = blocks.next()
      if (block === undefined) void worker.terminate().then(() => resolve())
      else worker.postMessage(block)
    }
    worker.on('error', reject)
    worker.on('message', (report: BlockReport) => {
      take(report)
      next()
    })
    next()
  })
}

const progress = setInterval(() => {
  tell()
  save()
}, PROGRESS)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    save()
    process.exit(1)
  })
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work))
clearInterval(progress)
save()
const absent: string[] = []
for (const [part, report] of reports) {
  console.log(`${part}: ${summary(report, minutes())}`)
  for (const [kind, count] of Object.entries(report.faults)) {
    console.log(`  ${kind}: ${count}`)
    if (count === 0 && report.seconds >= MANY_YEARS) absent.push(`${part} ${kind}`)
  }
}
if (absent.length > 0) console.error(`error: in all these years there was no ${absent.join(', no ')}`)
process.exit(findings.length + absent.length === 0 ? 0 : 1)
