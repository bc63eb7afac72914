import { printInstant } from '@kron/core'
import type { RunningPage, RunningRecord } from '@kron/host/api'
import type { Viewer } from '../../api/viewer.ts'
import type { Execution } from '../../driver/execution.ts'
import type { Pending } from '../../driver/pending.ts'
import type { Work } from '../slices.ts'
import type { Subject } from '../subject.ts'

/** So many of those that wait are named; how many wait in all is always told. */
const MOST_QUEUED = 1_000

/** The executions that run now, and the starts that wait for a place. */
export function* running({ running, loop }: Subject, viewer: Viewer): Work<RunningPage> {
  const { waiting } = loop
  return {
    running: yield* records(running.all(), each => executionRecord(each, viewer)),
    waiting: waiting.length,
    queue: yield* records(waiting.slice(0, MOST_QUEUED), queuedRecord),
  }
}

function* records<T, R>(all: readonly T[], record: (each: T) => R): Work<R[]> {
  const made: R[] = []
  for (const each of all) {
    made.push(record(each))
    if (made.length % 64 === 0) yield
  }
  return made
}

/** A run that goes on; who asked for it is not for everybody. */
export const executionRecord = (
  { entry, periodId, chosenTime, startedAt, pid, id, adopted }: Execution,
  _viewer: Viewer,
): RunningRecord => ({
  job: entry.name,
  identity: entry.identity,
  trigger: 'schedule',
  by: null,
  periodId,
  chosenTime: chosenTime || null,
  startedAt: printInstant(Math.floor(startedAt / 1_000)),
  pid: pid === 0 ? null : pid,
  executionId: id,
  adopted,
})

const queuedRecord = ({ decision }: Pending) => ({
  identity: decision.job.identity,
  periodId: printInstant(decision.nominal),
})
