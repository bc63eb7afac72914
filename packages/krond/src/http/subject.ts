import type { Hash } from '@kron/core'
import type { Entry, KeptOutput } from '@kron/host'
import type { OutcomeRecord, RefusedReload } from '@kron/host/api'
import type { Viewer } from '../api/viewer.ts'
import type { JobTable } from '../driver/job-table.ts'
import type { Loop } from '../driver/loop.ts'
import type { RunningExecutions } from '../driver/running.ts'
import type { StateStore } from '../store/state-store.ts'
import type { Forecasts } from './answers/forecast.ts'
import type { JobIndex } from './job-index.ts'
import type { Ledger } from './ledger.ts'
import { publicOutcome } from './outcome-record.ts'
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
  readonly refusedReload: () => RefusedReload | null
  /** The uid that a job runs as. */
  readonly owner: (entry: Entry) => number
  readonly outputs: Outputs
}

/** The outputs that runs keep. */
export interface Outputs {
  /** Undefined if the run printed nothing, or nothing is kept. */
  read(runId: string): KeptOutput | undefined
}

/** All that answers are made of. */
export interface Subject extends Running {
  readonly ledger: Ledger
  readonly index: JobIndex
  readonly forecasts: Forecasts
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

/** The record as this viewer may read it. */
export const shownTo = (viewer: Viewer, record: OutcomeRecord): OutcomeRecord =>
  viewer.kind === 'anybody' ? publicOutcome(record) : record
