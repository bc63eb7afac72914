import { printInstant } from '@kron/core'
import type { RunningPage, RunningRecord } from '@kron/host/api'
import type { Viewer } from '../../api/viewer.ts'
import { type Attempt, nominalOf } from '../../driver/attempt.ts'
import type { Execution } from '../../driver/execution.ts'
import { beginningOf } from '../../log/make-event.ts'
import type { Query } from '../query.ts'
import { publicRun, runningRecord } from '../running-record.ts'
import type { Work } from '../slices.ts'
import type { Subject } from '../subject.ts'

/** At most this many waiting starts are listed; the answer always holds the total number. */
const MOST_QUEUED = 1_000
const MOST_JOBS = 32

/** The executions that run now, and the starts that wait for a place; of all jobs, or of some. */
export function* running({ driver }: Subject, viewer: Viewer, query: Query): Work<RunningPage> {
  const jobs = new Set(query.list('job', MOST_JOBS))
  const isWanted = (identity: string): boolean => jobs.size === 0 || jobs.has(identity)
  const waiting = driver.waiting.filter(({ entry }) => isWanted(entry.identity))
  const active = driver.running().filter(({ entry }) => isWanted(entry.identity))
  return {
    running: yield* records(active, each => executionRecord(each, viewer)),
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

/** A run that goes on; only some viewers may see who asked for it. */
export function executionRecord(execution: Execution, viewer: Viewer): RunningRecord {
  const record = runningRecord(beginningOf(execution), execution.adopted)
  return viewer.kind === 'anybody' ? publicRun(record) : record
}

const queuedRecord = (attempt: Attempt) => ({
  identity: attempt.entry.identity,
  periodId: printInstant(nominalOf(attempt)!),
})
