import type { Decision, Outcome, UnseenPeriods } from '@kron/core'
import type { Block } from '../controller/blocks.ts'
import type { KronJob, KronJobStatus } from '../manifest/kronjob.ts'
import type { JobManifest, ObservedJob } from './job.ts'

/** Everything the plan for one KronJob depends on. */
export interface Observed {
  readonly kronJob: KronJob
  /** The Jobs it controls. */
  readonly jobs: readonly ObservedJob[]
  /** Why no Job can be created now, and when that is tried again. */
  readonly block?: Block
  /** Whether the block is new, or was met again just now. */
  readonly isFreshBlock?: boolean
  /** Whether this replica wrote the announcement that the status holds, and knows that no Job came of it. */
  readonly untried?: boolean
  /** Whether periods may have passed unseen: after a start, a change of the spec, a jump of the clock, a block. */
  readonly catchUp: boolean
  /** The operator's salt, for KronJobs without one of their own. */
  readonly salt?: string
  /** Whole epoch seconds, read once when the trigger woke. */
  readonly now: number
}

/** What to do about it: the status is written first, then the effects happen, then one observes again. */
export interface Plan {
  readonly status: KronJobStatus
  readonly effects: readonly Effect[]
  readonly outcomes: readonly PeriodOutcome[]
  /** Missed periods that `outcomes` does not name one by one. */
  readonly unseen?: UnseenPeriods
  /** Jobs whose end is told for the first time. */
  readonly results?: readonly JobResult[]
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

/** The end of one Job. */
export interface JobResult {
  readonly job: ObservedJob
  readonly succeeded: boolean
  readonly at: number
}

/** A Kubernetes Event to be. */
export interface Note {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly text: string
}
