import type { Hash } from '@kron/core'
import type { Pause, StateEvent } from '@kron/host'
import { DueQueue } from '@kron/runtime'
import type { Event } from '../log/event.ts'
import { type Attempt, Attempts } from './attempt.ts'
import { type ClockState, NEW_CLOCK } from './clock-state.ts'
import type { Effect, Recorded, StopMode } from './effect.ts'
import { JobTable } from './job-table.ts'

/** The driver's settings. They are fixed; only `mayStart` may answer differently from call to call. */
export interface DriverSettings {
  readonly hash: Hash
  readonly newId: () => string
  /** Whether events of level debug are read: the steps of a decision cost more than the decision. */
  readonly debug: boolean
  readonly maxConcurrent: number
  readonly bootId: string
  /** The id of the claims directory; an intent names it. */
  readonly claimsId: string
  /** Whether a start could be recorded: with a full disk nothing new may start. */
  readonly mayStart: () => boolean
}

/** All mutable state of the scheduling. The driver owns it; the functions of this folder change it for the driver. */
export interface DriverState {
  readonly settings: DriverSettings
  readonly jobs: JobTable
  readonly attempts: Attempts
  /** When to look at each job, in epoch seconds: half a second before it is due, if a start may be prepared then. */
  readonly due: DueQueue
  /** Attempts that wait for a place, in order. */
  waiting: Attempt[]
  /** Jobs that were removed from the files and still have a run, by identity. */
  readonly retired: Map<string, number>
  /** Jobs that arrived or changed and are not planned yet. */
  unplanned: number[]
  /**
   * How many runs of an earlier daemon are looked for, by job. Such a job is not judged before all are found, and each
   * of them takes a place.
   */
  readonly lookups: Map<number, number>
  pauses: readonly Pause[]
  /** Jobs that were found paused: when the pause is over, they catch up. */
  readonly paused: Set<number>
  /** The callers that wait for the daemon to stop; after the first of them no new run starts. */
  stops: { readonly mode: StopMode; readonly done: () => void }[]
  isStopped: boolean
  clock: ClockState
  /** The number of jobs whose swept periods were reopened because the clock was ahead, and when that was last. */
  readonly reopened: { jobs: number; at: number | undefined }
  effects: Effect[]
}

export const newState = (settings: DriverSettings): DriverState => ({
  settings,
  jobs: new JobTable(),
  attempts: new Attempts(),
  due: new DueQueue(),
  waiting: [],
  retired: new Map(),
  unplanned: [],
  lookups: new Map(),
  pauses: [],
  paused: new Set(),
  stops: [],
  isStopped: false,
  clock: NEW_CLOCK,
  reopened: { jobs: 0, at: undefined },
  effects: [],
})

export const emit = (state: DriverState, event: Event): void =>
  void state.effects.push({ kind: 'emit', event })

export function record(
  state: DriverState,
  slot: number,
  identity: string,
  event: StateEvent,
  recorded: Recorded = { step: 'noted' },
): void {
  state.effects.push({ kind: 'record', identity, seq: state.jobs.nextSeq(slot), event, recorded })
}

/** The attempt has left the stage in which it waits for a place. */
export function leaveQueue(state: DriverState, attempt: Attempt): void {
  const at = state.waiting.indexOf(attempt)
  if (at >= 0) state.waiting.splice(at, 1)
}

/** Ends an attempt without a trace. */
export function drop(state: DriverState, attempt: Attempt): void {
  leaveQueue(state, attempt)
  state.attempts.remove(attempt)
}

/** Whether one more run may start: there is a place for it, and room on the disk for its record. */
export function hasRoom({ attempts, lookups, settings }: DriverState): boolean {
  let taken = attempts.occupied
  for (const runs of lookups.values()) taken += runs
  return taken < settings.maxConcurrent && settings.mayStart()
}

/** Notes when to look at the job again, in epoch seconds. Undefined: when something happens to it. */
export function restUntil({ due }: DriverState, slot: number, time: number | undefined): void {
  if (time === undefined) due.remove(slot)
  else due.set(slot, time)
}
