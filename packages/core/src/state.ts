import { IncompatibleStateError } from './error.ts'
import type { Handled } from './handled.ts'
import { parseInstant, printInstant } from './instant.ts'

/** The persisted state of one job: the keys are those of STATE.md, all times RFC 3339 UTC. */
export interface State {
  readonly Version: '1'
  readonly Identity: string
  /** Counts the changes, so that a journal can tell which of its records a state file already holds. */
  readonly Seq: number
  readonly FirstSeen: string
  readonly HandledThrough: string
  readonly HandledPeriods: readonly string[]
  readonly LastHandledPeriodID: string
  readonly LastOutcome: Outcome | ''
  readonly LastReason: string
  readonly LastChosenTime: string
  readonly LastNominalTime: string
  readonly LastRunTime: string
  readonly LastExitCode: number | null
  readonly SeedHash: string
  readonly ActiveExecution: ActiveState | null
  readonly ConcurrentExecutions: readonly ActiveState[]
  readonly History: readonly HistoryEntry[]
}

export type Outcome = 'executed' | 'skipped' | 'missed' | 'unschedulable'

export interface ActiveState {
  readonly PeriodID: string
  /** 0: the intent is durable, the process is not known to exist. */
  readonly PID: number
  readonly StartedAt: string
  readonly ChosenTime: string
  readonly ExecutionID: string
  readonly BootID: string
  /** CLOCK_BOOTTIME, in ms, at which the chosen time falls. */
  readonly BootTime: number
  /** The kernel's start time of the process, in clock ticks: with the boot id it tells a reused PID. */
  readonly ProcessStart: number
}

export interface HistoryEntry {
  readonly PeriodID: string
  readonly Outcome: Outcome
  readonly NominalTime: string
  readonly ChosenTime: string
  readonly CompletedAt: string
  readonly ExitCode: number | null
  readonly Reason?: string
  readonly Signal?: string
  readonly StartedAt?: string
}

/** The watermark as it is persisted. */
export interface HandledRecord {
  readonly HandledThrough: string
  readonly HandledPeriods: readonly string[]
}

export type StateEvent =
  | { readonly kind: 'seen'; readonly firstSeen: string; readonly handled: HandledRecord }
  | { readonly kind: 'intended'; readonly execution: ActiveState }
  /** A running process that the state did not know: its period is handled already. */
  | { readonly kind: 'adopted'; readonly execution: ActiveState }
  | { readonly kind: 'withdrawn'; readonly executionId: string; readonly at: string }
  | {
      readonly kind: 'started'
      readonly executionId: string
      readonly pid: number
      readonly processStart: number
      readonly startedAt: string
      readonly seedHash: string
      readonly handled: HandledRecord
    }
  | {
      readonly kind: 'finished'
      readonly executionId: string
      readonly completedAt: string
      readonly exitCode: number | null
      readonly signal?: string
      readonly reason?: string
    }
  | {
      readonly kind: 'notExecuted'
      /** Several at once after a catch-up, the most recent last. */
      readonly periods: readonly NotExecuted[]
      readonly at: string
      readonly handled: HandledRecord
    }

export interface NotExecuted {
  readonly outcome: Exclude<Outcome, 'executed'>
  readonly periodId: string
  readonly chosenTime: string
  readonly reason: string
  readonly seedHash: string
}

export const DEFAULT_HISTORY = 50

const newState = (identity: string, firstSeen: string, handled: HandledRecord): State => ({
  Version: '1',
  Identity: identity,
  Seq: 1,
  FirstSeen: firstSeen,
  ...handled,
  LastHandledPeriodID: '',
  LastOutcome: '',
  LastReason: '',
  LastChosenTime: '',
  LastNominalTime: '',
  LastRunTime: '',
  LastExitCode: null,
  SeedHash: '',
  ActiveExecution: null,
  ConcurrentExecutions: [],
  History: [],
})

/** What a job's first event is. */
export const seen = (handled: Handled): StateEvent => ({
  kind: 'seen',
  firstSeen: printInstant(handled.firstSeen),
  handled: handledRecordOf(handled),
})

export const activeOf = (state: State): readonly ActiveState[] =>
  state.ActiveExecution === null
    ? state.ConcurrentExecutions
    : [state.ActiveExecution, ...state.ConcurrentExecutions]

/** One line of a state journal: the event that made the job's state number `Seq`. */
export interface StateRecord {
  readonly Identity: string
  readonly Seq: number
  readonly Event: StateEvent
}

/** The state with a record applied, unless it holds it already. */
export function applyRecord(state: State | undefined, record: StateRecord, history?: number): State {
  if (state !== undefined && record.Seq <= state.Seq) return state
  return { ...advance(state, record.Identity, record.Event, history), Seq: record.Seq }
}

/**
 * The next state. A period with an outcome never gets another: an event that would give it one only counts. A job
 * begins with `seen`; if its state was taken away meanwhile, everything before the event counts as handled.
 */
export function advance(
  state: State | undefined,
  identity: string,
  event: StateEvent,
  history: number = DEFAULT_HISTORY,
): State {
  if (state === undefined && event.kind === 'seen') return newState(identity, event.firstSeen, event.handled)
  const before =
    state ?? newState(identity, timeBefore(event), { HandledThrough: timeBefore(event), HandledPeriods: [] })
  return { ...change(before, event, history), Seq: before.Seq + 1 }
}

function timeBefore(event: StateEvent): string {
  switch (event.kind) {
    case 'seen':
      return event.firstSeen
    case 'intended':
    case 'adopted':
      return secondBefore(event.execution.PeriodID)
    case 'started':
      return event.startedAt
    case 'finished':
      return event.completedAt
    case 'withdrawn':
    case 'notExecuted':
      return event.at
  }
}

function secondBefore(time: string): string {
  const instant = parseInstant(time)
  return instant.ok ? printInstant(instant.value - 1) : time
}

function change(state: State, event: StateEvent, history: number): State {
  switch (event.kind) {
    case 'seen':
      return event.handled.HandledThrough > state.HandledThrough ? { ...state, ...event.handled } : state
    case 'intended':
      return intended(state, event.execution)
    case 'adopted':
      return adopted(state, event.execution)
    case 'withdrawn':
      return withActive(
        state,
        activeOf(state).filter(each => each.ExecutionID !== event.executionId || each.PID !== 0),
      )
    case 'started':
      return started(state, event)
    case 'finished':
      return finished(state, event, history)
    case 'notExecuted':
      return notExecuted(state, event, history)
  }
}

const knows = (state: State, periodId: string): boolean =>
  periodId <= state.HandledThrough ||
  state.HandledPeriods.includes(periodId) ||
  activeOf(state).some(each => each.PeriodID === periodId)

function intended(state: State, execution: ActiveState): State {
  return knows(state, execution.PeriodID) ? state : withActive(state, [...activeOf(state), execution])
}

function adopted(state: State, execution: ActiveState): State {
  const known = activeOf(state).some(each => each.ExecutionID === execution.ExecutionID)
  return known ? state : withActive(state, [...activeOf(state), execution])
}

const withActive = (state: State, active: readonly ActiveState[]): State => ({
  ...state,
  ActiveExecution: active[0] ?? null,
  ConcurrentExecutions: active.slice(1),
})

function started(state: State, event: StateEvent & { kind: 'started' }): State {
  const running = activeOf(state).find(each => each.ExecutionID === event.executionId)
  if (running === undefined || running.StartedAt !== '') return state
  const begun = { ...running, PID: event.pid, ProcessStart: event.processStart, StartedAt: event.startedAt }
  return {
    ...withActive(
      state,
      activeOf(state).map(each => (each === running ? begun : each)),
    ),
    ...event.handled,
    ...lastHandled('executed', running.PeriodID, running.ChosenTime, '', event.seedHash),
    LastRunTime: event.startedAt,
  }
}

function finished(state: State, event: StateEvent & { kind: 'finished' }, history: number): State {
  const running = activeOf(state).find(each => each.ExecutionID === event.executionId)
  if (running === undefined) return state
  const entry: HistoryEntry = {
    PeriodID: running.PeriodID,
    Outcome: 'executed',
    NominalTime: running.PeriodID,
    ChosenTime: running.ChosenTime,
    CompletedAt: event.completedAt,
    ExitCode: event.exitCode,
    ...(event.reason === undefined ? {} : { Reason: event.reason }),
    ...(event.signal === undefined ? {} : { Signal: event.signal }),
    StartedAt: running.StartedAt,
  }
  return {
    ...withActive(
      state,
      activeOf(state).filter(each => each !== running),
    ),
    LastExitCode: event.exitCode,
    History: kept(state.History, [entry], history),
  }
}

function notExecuted(state: State, event: StateEvent & { kind: 'notExecuted' }, history: number): State {
  const periods = event.periods.filter(each => !knows(state, each.periodId))
  const last = periods.at(-1)
  if (last === undefined) return state
  const entries = periods.map(each => ({
    PeriodID: each.periodId,
    Outcome: each.outcome,
    NominalTime: each.periodId,
    ChosenTime: each.chosenTime,
    CompletedAt: event.at,
    ExitCode: null,
    Reason: each.reason,
  }))
  return {
    ...state,
    ...event.handled,
    ...lastHandled(last.outcome, last.periodId, last.chosenTime, last.reason, last.seedHash),
    History: kept(state.History, entries, history),
  }
}

const lastHandled = (
  outcome: Outcome,
  periodId: string,
  chosenTime: string,
  reason: string,
  seedHash: string,
) => ({
  LastHandledPeriodID: periodId,
  LastOutcome: outcome,
  LastReason: reason,
  LastChosenTime: chosenTime,
  LastNominalTime: periodId,
  SeedHash: seedHash,
})

const kept = (
  old: readonly HistoryEntry[],
  added: readonly HistoryEntry[],
  most: number,
): readonly HistoryEntry[] => (most === 0 ? [] : [...old, ...added].slice(-most))

export const handledRecordOf = (handled: Handled): HandledRecord => ({
  HandledThrough: printInstant(handled.through),
  HandledPeriods: handled.above.map(printInstant),
})

export function handledOf(state: State): Handled {
  const read = (text: string): number => {
    const instant = parseInstant(text)
    if (instant.ok) return instant.value
    const { Identity: identity } = state
    // A guessed watermark could run a period twice.
    throw new IncompatibleStateError(`the state of ${identity} holds a bad time: ${text}`, {
      component: 'core',
      operation: 'read state',
      identity,
    })
  }
  return {
    through: read(state.HandledThrough),
    above: state.HandledPeriods.map(read),
    firstSeen: read(state.FirstSeen),
  }
}
