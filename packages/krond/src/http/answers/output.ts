import { type Entry, OutputText, outputPieces } from '@kron/host'
import type { OutputRecord } from '@kron/host/api'
import type { Query } from '../query.ts'
import { Refusal } from '../refusal.ts'
import type { Subject } from '../subject.ts'

export const OUTPUT_PARAMETERS = ['after', 'follow']

/** The kept output of one run, or the part of it that was printed after the first `after` bytes. */
export async function output(
  subject: Subject,
  entry: Entry,
  runId: string,
  query: Query,
): Promise<OutputRecord> {
  const after = query.count('after', 0, Number.MAX_SAFE_INTEGER, 0)
  const isRunning = subject.running
    .all()
    .some(each => each.id === runId && each.entry.identity === entry.identity)
  if (!isRunning) await requireRun(subject, entry, runId)
  const kept = subject.outputs.read(runId)
  return {
    identity: entry.identity,
    runId,
    running: isRunning,
    totalBytes: kept?.totalBytes ?? 0,
    parts: kept === undefined ? [] : new OutputText().parts(outputPieces(kept, after)),
  }
}

/** The run must be one of this job: its output must not be had through another job. */
async function requireRun({ store }: Subject, { identity, name }: Entry, runId: string): Promise<void> {
  const state = await store.peek(identity)
  if (state?.History.some(each => each.ExecutionID === runId) === true) return
  throw new Refusal(404, `${name} has no run ${JSON.stringify(runId)}`, 'the history names its runs')
}
