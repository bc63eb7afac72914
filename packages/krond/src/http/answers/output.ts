import { type Entry, OutputText, outcomesOf, outputPieces } from '@kron/host'
import type { OutputRecord } from '@kron/host/api'
import type { Query } from '../query.ts'
import { Refusal } from '../refusal.ts'
import type { Subject } from '../subject.ts'

/** Even if each byte takes six in JSON, the answer fits in one frame of the control socket. */
const MOST_BYTES = 512 * 1_024
const NOTHING = { pieces: [], end: 0 }

/** The kept output of one run, or the part of it that was printed after the first `after` bytes. */
export async function output(
  subject: Subject,
  entry: Entry,
  runId: string,
  query: Query,
): Promise<OutputRecord> {
  const after = query.count('after', 0, Number.MAX_SAFE_INTEGER, 0)
  const isRunning = subject.driver
    .running()
    .some(each => each.id === runId && each.entry.identity === entry.identity)
  if (!isRunning) await requireRun(subject, entry, runId)
  const kept = subject.outputs.read(runId)
  const section = kept === undefined ? NOTHING : outputPieces(kept, after, MOST_BYTES)
  return {
    identity: entry.identity,
    runId,
    running: isRunning,
    totalBytes: kept?.totalBytes ?? 0,
    parts: new OutputText().parts(section.pieces),
    nextAfter: section.end,
  }
}

/** The run must be one of this job: its output must not be readable through another job. */
async function requireRun({ store }: Subject, { identity, name }: Entry, runId: string): Promise<void> {
  const state = await store.peek(identity)
  if (state !== undefined && outcomesOf(state).some(each => each.runId === runId)) return
  throw new Refusal(404, `${name} has no run ${JSON.stringify(runId)}`, 'the history names its runs')
}
