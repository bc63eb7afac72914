import type { Entry, KeptOutput } from '@kron/host'
import type { OutcomeRecord, PauseRecord, RefusedReload } from '@kron/host/api'
import { type Operations, pauseRecord } from '../api/operations.ts'
import { maySee, type Viewer } from '../api/viewer.ts'
import type { Driver } from '../driver/driver.ts'
import type { JobTable } from '../driver/job-table.ts'
import type { NotificationFigures } from '../notify/notifications.ts'
import type { StateStore } from '../store/state-store.ts'
import type { Forecasts } from './answers/forecast.ts'
import type { JobIndex } from './job-index.ts'
import type { Ledger } from './ledger.ts'
import { publicOutcome } from './outcome-record.ts'
import { Refusal } from './refusal.ts'
import type { Work } from './slices.ts'

/** The running daemon, as far as others can inspect it. */
export interface Running {
  readonly driver: Driver
  readonly jobs: JobTable
  readonly store: StateStore
  readonly refusedFiles: () => readonly string[]
  /** Why no job starts; null if they do. */
  readonly startsStopped: () => string | null
  readonly refusedReload: () => RefusedReload | null
  /** The uid that a job runs as. */
  readonly owner: (entry: Entry) => number
  readonly outputs: Outputs
  readonly notifications: () => NotificationFigures
  /** Absent: people cannot act on this daemon. */
  readonly operations?: Operations
}

/** The outputs that runs keep. */
export interface Outputs {
  /** Undefined if the run printed nothing, or nothing is kept. */
  read(runId: string): KeptOutput | undefined
}

/** All data that answers are made from. */
export interface Subject extends Running {
  readonly ledger: Ledger
  readonly index: JobIndex
  readonly forecasts: Forecasts
  readonly instance: string
  readonly version: string
  readonly startedAt: number
  /** Epoch seconds. */
  readonly now: () => number
  /** No summary of all jobs is kept, because the daemon runs without --listen. */
  readonly isForgetful: boolean
}

interface FoundJob {
  readonly slot: number
  readonly entry: Entry
}

/** A job by its identity, or by its name if the viewer may see only one job of that name. */
export function* findJob(subject: Subject, job: string, viewer: Viewer): Work<FoundJob> {
  const { index, ledger } = subject
  const isVisible = ({ entry }: FoundJob): boolean => maySee(viewer, subject.owner(entry))
  const found = yield* index.find(job, ledger.configuration)
  if (found !== undefined && isVisible(found)) return found
  const named = job.includes(':') ? [] : (yield* index.named(job, ledger.configuration)).filter(isVisible)
  if (named.length === 1) return named[0]!
  if (named.length > 1)
    throw new Refusal(
      409,
      `several jobs are called ${job}`,
      `name one of them in full: ${named.map(({ entry }) => entry.identity).join(', ')}`,
    )
  throw new Refusal(
    404,
    `there is no job ${JSON.stringify(job)}`,
    'krontab list and /api/v1/jobs name the jobs',
  )
}

export function operationsOf({ operations }: Subject): Operations {
  if (operations !== undefined) return operations
  throw new Refusal(503, 'this krond cannot be acted on', 'it is starting, or about to end')
}

/** The pauses, in force or planned, of the jobs that this viewer may see. */
export function* pausesShownTo(subject: Subject, viewer: Viewer): Work<PauseRecord[]> {
  const { operations, index, ledger, owner } = subject
  const shown: PauseRecord[] = []
  for (const pause of operations?.pauses() ?? []) {
    const found =
      pause.identity === null ? undefined : yield* index.find(pause.identity, ledger.configuration)
    const isHidden = viewer.kind === 'user' && pause.identity !== null
    if (!isHidden || (found !== undefined && maySee(viewer, owner(found.entry))))
      shown.push(pauseRecord(pause, viewer))
  }
  return shown
}

/** The record with the fields that this viewer may read. */
export const shownTo = (viewer: Viewer, record: OutcomeRecord): OutcomeRecord =>
  viewer.kind === 'anybody' ? publicOutcome(record) : record
