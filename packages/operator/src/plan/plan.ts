import type { Decision, Outcome, UnseenPeriods } from '@kron/core'
import type { Failure } from '../cluster/failure.ts'
import type { KronJob, KronJobStatus } from '../manifest/kronjob.ts'
import type { ScheduleFiles } from '../manifest/schedule-files.ts'
import type { JobManifest, ObservedJob } from './job.ts'

/** All inputs of the plan for one KronJob. */
export interface Observed {
  readonly kronJob: KronJob
  /** The Jobs that the KronJob controls. */
  readonly jobs: readonly ObservedJob[]
  /** The reason why no Job can be created now, and the time of the next try. */
  readonly block?: Block
  /** Whether the block is new or has just occurred again. */
  readonly isFreshBlock?: boolean
  /** Whether this replica knows that the announced Job was not created. */
  readonly certainlyAbsent?: boolean
  /** The announced Job, if this replica has created it. It may be deleted already. */
  readonly created?: ObservedJob
  /** Whether periods may have passed unseen: after a start, a change of the spec, a clock jump or a block. */
  readonly catchUp: boolean
  /** The operator's salt, for KronJobs that have no salt of their own. */
  readonly salt?: string
  /** The calendars and weights of the namespace; absent if the KronJob needs none. */
  readonly files?: ScheduleFiles
  /** The current time in whole epoch seconds, read once when the KronJob was taken from the queue. */
  readonly now: number
}

/** The reason why the Jobs of a KronJob cannot be created now, and the time of the next try. */
export interface Block {
  readonly failure: Failure
  /** The number of failed tries in a row. */
  readonly failures: number
  /** The time of the next try, in whole epoch seconds. */
  readonly until: number
  /** Whether a dry run has passed since. Jobs are then tried again, but the failures still count. */
  readonly isLifted?: boolean
}

/**
 * The next actions. The status is written first, then the effects happen. After a deletion the KronJob is observed again
 * at once. After a creation its outcome waits for a second, or until its Job ends.
 */
export interface Plan {
  readonly status: KronJobStatus
  readonly effects: readonly Effect[]
  readonly outcomes: readonly PeriodOutcome[]
  /** Missed periods that `outcomes` does not list one by one. */
  readonly unseen?: UnseenPeriods
  /** Jobs whose end is reported for the first time. */
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

/** A Kubernetes Event to be written. */
export interface Note {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly text: string
}
