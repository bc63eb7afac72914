import type { Handled, KronError } from '@kron/core'
import type { ActiveState, Entry, ManualRun, Pause, State, StateEvent } from '@kron/host'
import type { ClockJump } from '@kron/runtime'
import type { ClaimedPeriod, ExecutedAnswer, LivingRun, Run, StartRequest, Trace } from '../effects/ports.ts'
import type { Event } from '../log/event.ts'
import type { Loaded } from '../store/state-store.ts'
import type { TriggerRequest } from './action.ts'
import type { Attempt, Caller, RunningAttempt } from './attempt.ts'
import type { Ending, EndingReason } from './execution.ts'
import type { PeriodOutcome } from './record.ts'

/** The step that a record completes; the `stored` message carries it back. */
export type Recorded =
  | { readonly step: 'intended' | 'withdrawn' | 'takenBack'; readonly attempt: Attempt }
  | { readonly step: 'started'; readonly attempt: RunningAttempt }
  | {
      readonly step: 'finished'
      readonly attempt: RunningAttempt
      readonly ending: Ending
      readonly endedAt: number
    }
  | { readonly step: 'notExecuted'; readonly periods: readonly PeriodOutcome[] }
  /** No further step follows. */
  | { readonly step: 'noted' }

export type StopMode =
  /** The runs end by themselves. */
  | 'wait'
  /** The runs are ended. */
  | 'terminate'
  /** The runs are left to the next daemon; only starts that are under way become durable. */
  | 'leave'

/** Everything that can happen to the driver. */
export type Message =
  /** The alarm rang. */
  | { readonly kind: 'due' }
  | { readonly kind: 'clockJumped'; readonly jump: ClockJump }
  /** A place may be free again: the disk has room. */
  | { readonly kind: 'roomFreed' }
  /** The job's state file is lost; only the driver knows which periods are handled. */
  | { readonly kind: 'stateLost'; readonly identity: string }
  | { readonly kind: 'stored'; readonly recorded: Recorded }
  /** The write failed: nothing may be scheduled any more. */
  | { readonly kind: 'unstored'; readonly recorded: Recorded }
  | {
      readonly kind: 'started'
      readonly attempt: Attempt
      readonly answer: ExecutedAnswer
    }
  | { readonly kind: 'refused'; readonly attempt: Attempt; readonly error: KronError }
  /** A prepared start was taken back before its time, by the driver or because the clock was set. */
  | { readonly kind: 'cancelled'; readonly attempt: Attempt }
  | { readonly kind: 'exited'; readonly attempt: RunningAttempt; readonly ending: Ending }
  /** The answer to `end`: the whole process tree is gone, or the problem says that something survived. */
  | {
      readonly kind: 'endAnswered'
      readonly attempt: RunningAttempt
      readonly problem: KronError | undefined
    }
  /** The run is still alive although its timeout and its grace are over. */
  | { readonly kind: 'overdue'; readonly attempt: RunningAttempt }
  /** A job of the configuration, with the state it has. `retired`: its old run still goes on. */
  | { readonly kind: 'arrived'; readonly entry: Entry; readonly loaded: Loaded | 'retired' }
  | {
      readonly kind: 'traced'
      readonly slot: number
      readonly entry: Entry
      readonly seedHash: string
      readonly active: ActiveState | ManualRun
      readonly trace: Trace
    }
  | {
      readonly kind: 'surveyed'
      readonly slot: number
      readonly aside: string
      readonly journalled: State | undefined
      readonly claimed: readonly ClaimedPeriod[]
      readonly alive: readonly LivingRun[]
    }
  | { readonly kind: 'claims'; readonly claims: readonly ClaimedPeriod[] }
  /** The new definitions of known jobs by slot; undefined for a job that is gone. */
  | {
      readonly kind: 'reload'
      readonly known: ReadonlyMap<number, Entry | undefined>
      readonly done: (changes: { changed: number; removed: number; unchanged: number }) => void
    }
  /** Everything about the arrivals is known and durable: the jobs that arrived or changed are planned. */
  | { readonly kind: 'plan' }
  | { readonly kind: 'stop'; readonly mode: StopMode; readonly done: () => void }
  | { readonly kind: 'trigger'; readonly request: TriggerRequest; readonly caller: Caller }
  /** A person resets a job: only the periods in `handled` stay handled. `done` tells whether the state was still number `seq`. */
  | {
      readonly kind: 'reset'
      readonly identity: string
      readonly seq: number
      readonly handled: Handled
      readonly forgotten: readonly string[]
      readonly done: (isReset: boolean) => void
    }
  /** The new list of pauses is durable: after a pause or a resume, or when krond starts. */
  | { readonly kind: 'pauses'; readonly pauses: readonly Pause[] }

/** Everything that the driver can ask for; thin functions carry it out. */
export type Effect =
  | { readonly kind: 'emit'; readonly event: Event }
  /** Makes an event durable; answered by `stored` or `unstored`. */
  | {
      readonly kind: 'record'
      readonly identity: string
      readonly seq: number
      readonly event: StateEvent
      readonly recorded: Recorded
    }
  /** Answered by `started`, `refused` or `cancelled`. */
  | { readonly kind: 'start'; readonly attempt: Attempt; readonly request: StartRequest }
  /** Takes a start back that waits for its second; no effect on one that was executed. */
  | { readonly kind: 'cancel'; readonly executionId: string }
  /** Waits for the end of a run: `exited`. */
  | { readonly kind: 'follow'; readonly attempt: RunningAttempt; readonly run: Run }
  /** Ends a run with its whole process tree; answered by `endAnswered`. */
  | {
      readonly kind: 'end'
      readonly attempt: RunningAttempt
      readonly run: Run
      readonly why: EndingReason
      readonly how: 'grace' | 'now'
    }
  /** Sets the alarm, in epoch seconds, or clears it. */
  | { readonly kind: 'wakeAt'; readonly second: number | undefined }
  /** Sends `overdue` after this time. */
  | { readonly kind: 'remind'; readonly attempt: RunningAttempt; readonly afterMs: number }
  /** Finds out what became of an execution of an earlier daemon: `traced`. */
  | {
      readonly kind: 'trace'
      readonly slot: number
      readonly entry: Entry
      readonly seedHash: string
      readonly active: ActiveState | ManualRun
    }
  /** Finds the claims and living runs of a job whose state is corrupt: `surveyed`. */
  | {
      readonly kind: 'survey'
      readonly slot: number
      readonly entry: Entry
      readonly aside: string
      /** The state according to the journal alone. */
      readonly journalled: State | undefined
    }
  /** Writes the state files out, after the records before it. */
  | { readonly kind: 'flush' }
  /** Removes a claim that is no longer needed. */
  | { readonly kind: 'release'; readonly claim: string }
  /** Answers the sender of a message. */
  | { readonly kind: 'reply'; readonly reply: () => void }
