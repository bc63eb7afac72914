/** Lives through the histories it is told to, and reports what it found. */
import { parentPort, workerData } from 'node:worker_threads'
import { emptyReport, type Finding, type Part, type Report } from './report.ts'

export interface Block {
  readonly part: Part
  readonly from: number
  readonly count: number
}

export interface BlockReport {
  readonly block: Block
  readonly report: Report
  readonly findings: readonly Finding[]
}

const { span, traces } = workerData as { span: number; traces: boolean }
// Thousands of errors in each history are part of it, such as a file that does not exist; no one reads their traces.
if (!traces) Error.stackTraceLimit = 0

async function liveThrough(block: Block): Promise<BlockReport> {
  const report = emptyReport()
  const findings: Finding[] = []
  for (let seed = block.from; seed < block.from + block.count; seed++) {
    const messages = await (block.part === 'krond' ? krond(seed, report) : scheduler(seed, report))
    for (const message of messages) findings.push({ part: block.part, seed, message })
  }
  report.violations = findings.length
  return { block, report, findings }
}

async function krond(seed: number, report: Report): Promise<readonly string[]> {
  const { simulateKrond } = await import('@kron/testkit/krond/simulation/krond-campaign')
  const { noTally } = await import('@kron/testkit/krond/simulation/tally')
  const tally = noTally()
  const violations = await simulateKrond(seed, span, tally)
  count(report, tally)
  for (const { invariants } of violations) {
    if (invariants.includes('SPEC 2')) report.duplicates++
    if (invariants.includes('SPEC 5') || invariants.includes('STATE 4')) report.changedOutcomes++
    if (invariants.includes('krond durability')) report.unreadableStates++
  }
  return violations.map(each => each.message)
}

async function scheduler(seed: number, report: Report): Promise<readonly string[]> {
  const { simulateScheduler } = await import('@kron/testkit/scheduler/simulation/scheduler-campaign')
  const { tally, violation } = await simulateScheduler(seed, span)
  count(report, tally)
  if (violation === undefined) return []
  if (violation.axiom === 'S1' || violation.axiom === 'S2') report.duplicates++
  return [`${violation.axiom}: ${violation.message}`]
}

interface Counts {
  readonly seconds: number
  readonly executions: number
  readonly crashes: number
  readonly faults: Readonly<Record<string, number>>
}

function count(report: Report, tally: Counts): void {
  report.seconds += tally.seconds
  report.executions += tally.executions
  report.crashes += tally.crashes
  for (const [kind, times] of Object.entries(tally.faults))
    report.faults[kind] = (report.faults[kind] ?? 0) + times
}

parentPort?.on('message', (block: Block) => {
  void liveThrough(block).then(done => parentPort!.postMessage(done))
})
