import type { KronError } from '@kron/core'
import type { ActiveState, Entry, Pause } from '@kron/host'
import type { Clock } from '@kron/runtime'
import type { TriggerRequest } from '../driver/action.ts'
import type { Ending, EndingReason } from '../driver/execution.ts'
import type { Emit } from '../log/event.ts'
import type { StateStore } from '../store/state-store.ts'
import type { StartPriority } from './start-priority.ts'

/** The start of a job's command, for a period or for a person. */
export interface StartRequest {
  readonly entry: Entry
  readonly executionId: string
  /** The name of the claim, which can be taken only once. */
  readonly claim: string
  /** The period; absent for a manual run. */
  readonly nominal?: number
  /** The person's request; absent for a period. */
  readonly manual?: TriggerRequest
  readonly chosen: number
  /** The command is not executed before this second, epoch seconds; absent: at once. */
  readonly notBefore?: number
  /** The last second in which it may start, epoch seconds. */
  readonly lastStart: number
}

/** A command that was executed, and may have ended. */
export interface Run {
  readonly pid: number
  /** The kernel's start time, in clock ticks since boot. */
  readonly processStart: number
  /** The parent of the command, which outlives the daemon; 0 without one. */
  readonly shimPid: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly ended: Promise<Ending>
  /** Ends the command and all its descendants; false if one survived. `now` skips the grace period. */
  end(why: EndingReason, how: 'grace' | 'now'): Promise<boolean>
}

/** The facts about an execution that an earlier daemon started. */
export type Trace =
  | { readonly kind: 'running'; readonly run: Run }
  | { readonly kind: 'ended'; readonly ending: Ending; readonly startedAt: number }
  /** It may have run; its end is unknown. */
  | { readonly kind: 'unknown' }
  /** The command was certainly never executed. */
  | { readonly kind: 'never' }

export type StartAnswer =
  | { readonly kind: 'started'; readonly run: Run }
  /** The command was certainly not executed and never will be. */
  | { readonly kind: 'refused'; readonly error: KronError }
  /** The period was claimed before: it counts as executed. */
  | { readonly kind: 'already'; readonly trace: Trace }
  | { readonly kind: 'unknown'; readonly error: KronError }
  /** It was taken back before its second came: nothing was executed. */
  | { readonly kind: 'cancelled' }

/** The answers that count as executed. */
export type ExecutedAnswer = Exclude<StartAnswer, { kind: 'refused' | 'cancelled' }>

/** A claim in the claims directory. */
export interface ClaimedPeriod {
  /** All claims of one job share this prefix. */
  readonly prefix: string
  readonly nominal: number
  /** Undefined if the claim is damaged. */
  readonly executionId: string | undefined
}

/** A run of an earlier daemon that was found alive. */
export interface LivingRun {
  readonly active: ActiveState
  readonly run: Run
}

export interface Processes {
  /** The id of the claims directory; an intent names it. */
  readonly claimsId: string
  start(request: StartRequest): Promise<StartAnswer>
  /** Takes a start back if its `notBefore` has not come yet. */
  cancel(executionId: string): void
  /** The run that took this claim, if any. Only for claims of this directory and this boot. */
  follow(entry: Entry, claim: string): Promise<Trace>
  /** The end that a shim left on disk while no daemon lived. */
  endRecord(executionId: string): Promise<(Trace & { kind: 'ended' }) | undefined>
  /** Finds a living process by its PID and start time: nothing else is known of a run without a claim. */
  attach(entry: Entry, active: ActiveState): Run | undefined
  /** All claims in the directory. */
  claims(): Promise<readonly ClaimedPeriod[]>
  /** The end of the claim's run is in the state file, so the claim is no longer needed. */
  release(claim: string): void
  /** The running processes of daemons from before the shim: the oldest process of each execution. */
  survivors(): Promise<readonly Survivor[]>
}

export interface Survivor {
  readonly identity: string
  readonly executionId: string
  readonly periodId: string
  readonly chosenTime: string
  readonly pid: number
  readonly processStart: number
  /** Whether its user may be the job's: any process can put anything into its environment. Absent: any user. */
  readonly mayBeOf?: (entry: Entry) => boolean
}

/** The boot this daemon lives in; the time is CLOCK_BOOTTIME in milliseconds. */
export interface Boot {
  readonly id: string
  time(): number
}

/** The part of the state store that the daemon uses. */
export type Store = Pick<
  StateStore,
  'load' | 'loaded' | 'lookAround' | 'record' | 'peek' | 'flush' | 'summarise'
>

/** Everything between the driver and the world. */
export interface Ports {
  readonly clock: Clock
  readonly store: Store
  readonly processes: Processes
  readonly boot: Boot
  readonly emit: Emit
  readonly pauses: PauseStore
  readonly priority: StartPriority
  /** A write failed: nothing may be scheduled any more. */
  readonly fatal: (error: KronError) => void
}

/** Where pauses are kept. */
export interface PauseStore {
  load(): Promise<readonly Pause[]>
  /** Resolves when they are durable. */
  save(pauses: readonly Pause[]): Promise<void>
}
