import { OUTCOME_STYLES } from '@kron/core'
import { nameOf } from '@kron/host'
import type { OutcomeRecord, OutputRecord } from '@kron/host/api'
import { countOption } from '../context/option-values.ts'
import { printAnswer } from '../context/print.ts'
import type { Run } from '../context/run.ts'
import { type JobHistory, jobHistoryOf } from '../daemon/job-history.ts'
import type { HISTORY } from '../program/history-commands.ts'
import { historyText, type PastRun } from '../view/history.ts'

export const run: Run<typeof HISTORY> = async (context, options, [wanted = '']) => {
  const count = countOption('count', options.count, 20, 100_000)
  const history = await jobHistoryOf(context, options, wanted)
  const runs: PastRun[] = []
  for (const record of history.outcomes.slice(-count).reverse())
    runs.push({ record, lastLine: await lastLine(history, record) })
  const { identity, running } = history
  const job = nameOf(identity)
  const document = {
    job,
    identity,
    running: running.map(({ runId, ...each }) => ({ job, identity, executionId: runId, ...each })),
    outcomes: runs.map(({ record: { identity: _, ...rest }, lastLine }) => ({ ...rest, lastLine })),
  }
  const lines = () => historyText(history, runs, context.now(), context.terminal)
  return printAnswer(context, options, document, lines)
}

/** The last line of a failed run whose output is kept. */
async function lastLine(
  history: JobHistory,
  { kind, runId, printedBytes }: OutcomeRecord,
): Promise<string | null> {
  if (!OUTCOME_STYLES[kind].isFailure || runId === null || printedBytes === 0) return null
  return lastLineIn(await history.output(runId, 0))
}

const lastLineIn = ({ parts }: OutputRecord): string | null => {
  const text = parts.map(part => (part.stream === 'gap' ? '\n' : part.text)).join('')
  return text.trimEnd().split('\n').at(-1)?.trim() || null
}
