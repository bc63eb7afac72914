import type { Decision, Outcome } from '@kron/core'
import type { KronJob, KronJobStatus } from '../manifest/kronjob.ts'
import type { JobManifest, ObservedJob } from './job.ts'

/** Everything the plan for one KronJob depends on. */
export interface Observed {
  readonly kronJob: KronJob
  /** The Jobs it controls. */
  readonly jobs: readonly ObservedJob[]
  /** Why the API server refuses Jobs from the template. */
  readonly refusal?: string
  /** Why the Job that was just tried could not be created, although nothing of it exists. */
  readonly failure?: Failure
  /** Whether this replica wrote the announcement that the status holds, and has not tried to create its Job. */
  readonly untried?: boolean
  /** Whether periods may have passed unseen: after a start, a change of the spec, a jump of the clock. */
  readonly catchUp: boolean
  /** Whole epoch seconds, read once when the trigger woke. */
  readonly now: number
}

export interface Failure {
  readonly reason: 'NameConflict' | 'SchedulingError'
  readonly message: string
}

/** What to do about it: the status is written first, then the effects happen, then one observes again. */
export interface Plan {
  readonly status: KronJobStatus
  readonly effects: readonly Effect[]
  readonly outcomes: readonly PeriodOutcome[]
  readonly notes: readonly Note[]
  readonly wakeAt?: number
}

export type Effect =
  | { readonly kind: 'create'; readonly job: JobManifest; readonly chosen: number }
  | { readonly kind: 'replace'; readonly job: ObservedJob }
  | { readonly kind: 'forget'; readonly job: ObservedJob }

/** The end of one period. */
export interface PeriodOutcome {
  readonly decision: Decision
  readonly outcome: Outcome
  readonly reason: string
  readonly jobName?: string
}

/** A Kubernetes Event to be. */
export interface Note {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly text: string
}
