import type { ActiveRun, Decision, PeriodAttempt } from '@kron/core'
import type { Entry } from '@kron/host'
import type { Run } from '../effects/ports.ts'
import type { TriggerRefusal, TriggerRequest } from './action.ts'
import type { Ending, Execution } from './execution.ts'

/** The reason for a run: a period of the schedule, or a person's request. */
export type Cause =
  | { readonly kind: 'period'; readonly nominal: number; readonly decision?: Decision }
  | {
      readonly kind: 'manual'
      readonly request: TriggerRequest
      /** The second of the request. */
      readonly at: number
      /** Absent for a run that an earlier daemon started. */
      readonly caller?: Caller
    }

/** The person who asked for a manual run. */
export interface Caller {
  readonly started: (execution: Execution) => void
  readonly refused: (reason: TriggerRefusal, message: string) => void
  /** The end is durable. */
  readonly finished: (ending: Ending) => void
}

/** The stage of an attempt; core's `turn` knows the same phases. */
export type Stage =
  /** It may start and waits for a place. */
  | { readonly phase: 'queued' }
  /** The runs that it replaces were told to end when the clock had this offset. */
  | { readonly phase: 'replacing'; readonly offsetMs: number }
  /**
   * Its start is under way. `held`: prepared, and not to be executed before its second. `takenBack`: serve was asked to
   * forget it; its answer says whether it was in time.
   */
  | {
      readonly phase: 'intended'
      readonly executionId: string
      readonly lastStart: number
      readonly hold: 'no' | 'held' | 'takenBack'
    }
  | RunningStage
  /** Its start was certainly refused; it is judged again at `retryAt`. */
  | { readonly phase: 'retrying'; readonly retryAt: number }

/** It was executed, so its period is handled. */
export interface RunningStage {
  readonly phase: 'running'
  readonly execution: Execution
  /** Absent if the run is over, or if it cannot be followed. */
  readonly run: Run | undefined
  /** For a stage without `run`: how the run ended. */
  readonly over?: Ending
  /** Whether its start is durable, or it was ended because its start could not be recorded. */
  readonly isStartConcluded: boolean
  /** Whether the run was told to end, and the result. */
  readonly end: 'no' | 'asked' | 'gone' | 'survived'
  /** Its end, once that is durable. */
  readonly finished?: Ending
}

/**
 * The work on one period, or on one manual run, from the first verdict until the end of the run is durable. The outcome
 * `executed` of a period is recorded earlier: with its start.
 */
export interface Attempt {
  readonly slot: number
  /** The definition that was judged, even if a reload has replaced it since. */
  readonly entry: Entry
  readonly cause: Cause
  stage: Stage
  /** How often a start was refused. */
  tries: number
  /** Why the last start was refused; it becomes the reason of the outcome if the deadline passes. */
  refusal: string | undefined
}

export type RunningAttempt = Attempt & { readonly stage: RunningStage }

export const isRunning = (attempt: Attempt): attempt is RunningAttempt => attempt.stage.phase === 'running'

/** Whether it takes up a place: it runs, or is about to. */
const isOccupying = ({ stage: { phase } }: Attempt): boolean => phase === 'running' || phase === 'intended'

/** Whether the run can be told to end: its start is durable, and it was not told before or it survived that. */
export const mayEnd = ({ run, isStartConcluded, end }: RunningStage): boolean =>
  run !== undefined && isStartConcluded && (end === 'no' || end === 'survived')

export const nominalOf = ({ cause }: Attempt): number | undefined =>
  cause.kind === 'period' ? cause.nominal : undefined

/** The attempt as core's `turn` sees it; a manual run is no period. */
export function periodAttempts(attempts: readonly Attempt[]): readonly PeriodAttempt[] {
  return attempts.flatMap(({ cause, stage }): PeriodAttempt[] => {
    if (cause.kind !== 'period') return []
    const { nominal } = cause
    return stage.phase === 'retrying'
      ? [{ phase: stage.phase, nominal, retryAt: stage.retryAt }]
      : [{ phase: stage.phase, nominal }]
  })
}

/** The runs of a job as `turn` sees them; a run that cannot be told to end now is waited for. */
export function activeRuns(attempts: readonly Attempt[]): readonly ActiveRun[] {
  return attempts.flatMap(({ cause, stage }) => {
    if (stage.phase === 'running') return [{ ending: !mayEnd(stage) }]
    const isBegun = stage.phase === 'intended' || stage.phase === 'replacing'
    return cause.kind === 'manual' && isBegun ? [{ ending: true }] : []
  })
}

const NONE: readonly Attempt[] = []

/** The attempts of all jobs; few at any time, whatever the number of jobs. */
export class Attempts {
  readonly #bySlot = new Map<number, Attempt[]>()
  readonly #occupying = new Set<Attempt>()

  /** How many places are taken. */
  get occupied(): number {
    return this.#occupying.size
  }

  of(slot: number): readonly Attempt[] {
    return this.#bySlot.get(slot) ?? NONE
  }

  /** The attempt at a period, if the period has no outcome yet. */
  open(slot: number, nominal: number): Attempt | undefined {
    return this.of(slot).find(each => nominalOf(each) === nominal && !isRunning(each))
  }

  /** The attempts that run or are about to. */
  occupying(): Iterable<Attempt> {
    return this.#occupying
  }

  running(): RunningAttempt[] {
    return [...this.#occupying].filter(isRunning)
  }

  add(slot: number, entry: Entry, cause: Cause, stage: Stage): Attempt {
    const attempt: Attempt = { slot, entry, cause, stage, tries: 0, refusal: undefined }
    const siblings = this.#bySlot.get(slot)
    if (siblings === undefined) this.#bySlot.set(slot, [attempt])
    else siblings.push(attempt)
    this.move(attempt, stage)
    return attempt
  }

  move(attempt: Attempt, stage: Stage): void {
    attempt.stage = stage
    if (isOccupying(attempt)) this.#occupying.add(attempt)
    else this.#occupying.delete(attempt)
  }

  has(attempt: Attempt): boolean {
    return this.of(attempt.slot).includes(attempt)
  }

  remove(attempt: Attempt): void {
    this.#occupying.delete(attempt)
    const left = this.of(attempt.slot).filter(each => each !== attempt)
    if (left.length === 0) this.#bySlot.delete(attempt.slot)
    else this.#bySlot.set(attempt.slot, left)
  }
}
