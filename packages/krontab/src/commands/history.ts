import type { Given } from '@kron/cli'
import { OUTCOME_STYLES } from '@kron/core'
import { nameOf } from '@kron/host'
import type { OutcomeRecord, OutputRecord } from '@kron/host/api'
import { countOption } from '../arguments.ts'
import type { Host } from '../host.ts'
import { type Past, pastOf } from '../past.ts'
import { printJson, printLines } from '../print.ts'
import type { HISTORY } from '../program/past.ts'
import { OK } from '../refusal.ts'
import { historyText, type PastRun } from '../view/history.ts'

export async function run(
  host: Host,
  options: Given<typeof HISTORY.options>,
  [job = '']: readonly string[],
): Promise<number> {
  const count = countOption('count', options.count, 20, 100_000)
  const past = await pastOf(host, options, job)
  const runs: PastRun[] = []
  for (const record of past.outcomes.slice(-count).reverse())
    runs.push({ record, lastLine: await lastLine(past, record) })
  if (options.format === 'json') {
    const { identity, running } = past
    const name = nameOf(identity)
    printJson(host, {
      job: name,
      identity,
      running: running.map(({ runId, ...each }) => ({ job: name, identity, executionId: runId, ...each })),
      outcomes: runs.map(({ record: { identity: _, ...rest }, lastLine }) => ({ ...rest, lastLine })),
    })
  } else printLines(host, historyText(past, runs, host.now(), host.terminal))
  return OK
}

/** The last line of a failed run whose output is kept. */
async function lastLine(past: Past, { kind, runId, printedBytes }: OutcomeRecord): Promise<string | null> {
  if (!OUTCOME_STYLES[kind].isFailure || runId === null || printedBytes === 0) return null
  return lastLineIn(await past.output(runId, 0))
}

const lastLineIn = ({ parts }: OutputRecord): string | null => {
  const text = parts.map(part => (part.stream === 'gap' ? '\n' : part.text)).join('')
  return text.trimEnd().split('\n').at(-1)?.trim() || null
}
