import type { Pause, ResetPlan } from '@kron/host'
import type { Ending } from './execution.ts'

/** A person asks to run a job now. The run is no period and handles none. */
export interface TriggerRequest {
  /**
   * Letters, digits and `-`, unique for ever (a UUID). It names the claim, so a request that is sent twice runs once, as
   * long as the history keeps its run.
   */
  readonly requestId: string
  readonly identity: string
  /** The name of the user who asks; it goes into the record of the run. */
  readonly user: string
}

export type TriggerAnswer =
  /** The command was executed, and its start is durable. */
  | {
      readonly kind: 'started'
      readonly executionId: string
      readonly pid: number
      /** Resolves when the end is durable. It stays open if krond ends before the run does. */
      readonly ended: Promise<Ending>
    }
  | { readonly kind: 'refused'; readonly reason: TriggerRefusal; readonly message: string }

export type TriggerRefusal =
  /** No job has this identity. */
  | 'unknown_job'
  /** Policy `forbid`, and a run of the job is active. */
  | 'concurrency'
  /** The limit of --max-concurrent is reached, or the disk is full. */
  | 'no_room'
  /** The request id was used before. */
  | 'repeated'
  /** The command could not be started. */
  | 'start_failed'
  /** A run that had to end first (policy `replace`) did not end. */
  | 'replace_failed'
  | 'stopping'

/** Times are epoch seconds. */
export interface PauseRequest {
  /** Absent: every job. */
  readonly identity?: string
  /** Absent: now. In the future: a planned freeze. */
  readonly from?: number
  /** Absent: until somebody resumes. */
  readonly until?: number
  readonly reason: string
  readonly user: string
}

/** Ends pauses: those of one job, or all; or one by its id. */
export type ResumeRequest = { readonly identity: string } | { readonly all: true } | { readonly id: string }

export type ResetAnswer =
  | Exclude<ResetPlan, { kind: 'reset' }>
  /** The outcomes of these periods no longer bind. */
  | { readonly kind: 'reset'; readonly forgotten: readonly string[] }
  /** There is no such job, or its state changes all the time. */
  | { readonly kind: 'unknown_job' | 'busy' }

export type PauseAnswer =
  | { readonly kind: 'paused'; readonly pause: Pause }
  | { readonly kind: 'refused'; readonly message: string }

/** `to` in epoch seconds: every later period is unhandled again. */
export interface ResetRequest {
  readonly identity: string
  readonly to: number
  /** Also forget periods that were executed, or may have been: they may run again. */
  readonly force: boolean
}

/** The actions that people can take on a running daemon. Each answer comes when its effect is durable. */
export interface Actions {
  trigger(request: TriggerRequest): Promise<TriggerAnswer>
  pause(request: PauseRequest): Promise<PauseAnswer>
  /** Returns the pauses that were ended; resuming one job does not end a pause of all jobs. */
  resume(request: ResumeRequest): Promise<readonly Pause[]>
  /** Refuses, without `force`, to forget a period that was executed or may have been. */
  reset(request: ResetRequest): Promise<ResetAnswer>
  /** The pauses that are in force or planned. */
  pauses(): readonly Pause[]
}
