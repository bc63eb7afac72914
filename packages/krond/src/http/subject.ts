import type { Hash } from '@kron/core'
import type { Entry } from '@kron/host'
import type { JobTable } from '../driver/job-table.ts'
import type { Loop } from '../driver/loop.ts'
import type { RunningExecutions } from '../driver/running.ts'
import type { StateStore } from '../store/state-store.ts'
import type { JobIndex } from './job-index.ts'
import type { Ledger } from './ledger.ts'
import { Refusal } from './refusal.ts'
import type { Work } from './slices.ts'

/** The running daemon, as far as it can be looked at. */
export interface Running {
  readonly jobs: JobTable
  readonly loop: Loop
  readonly running: RunningExecutions
  readonly store: StateStore
  readonly refusedFiles: () => readonly string[]
  /** Why no job starts; null if they do. */
  readonly startsStopped: () => string | null
}

/** All that answers are made of. */
export interface Subject extends Running {
  readonly ledger: Ledger
  readonly index: JobIndex
  readonly hash: Hash
  readonly instance: string
  readonly version: string
  readonly startedAt: number
  /** Epoch seconds. */
  readonly now: () => number
}

export function* findJob(
  { index, ledger }: Subject,
  identity: string,
): Work<{ readonly slot: number; readonly entry: Entry }> {
  const found = yield* index.find(identity, ledger.configuration)
  if (found === undefined)
    throw new Refusal(404, `there is no job ${JSON.stringify(identity)}`, 'see /api/v1/jobs')
  return found
}
