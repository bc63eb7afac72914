import { type Outcome, parseInstant, printInstant } from '@kron/core'
import { begun, ending, isIntent, measured } from './execution-record.ts'
import { isManual, manualFinished, manualOf, manualStarted, requested, withManual } from './manual-runs.ts'
import { type ActiveState, activeOf, type HandledRecord, type HistoryEntry, type State } from './state.ts'
import type { StateEvent, StateRecord } from './state-event.ts'

export const DEFAULT_HISTORY = 50

/** The first-seen time of a job whose state was lost: so early that no period counts as merely passed over. */
const UNKNOWN = printInstant(0)

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

/** The state with a record applied, unless it already holds the record. */
export function applyRecord(state: State | undefined, record: StateRecord, history?: number): State {
  if (state !== undefined && record.Seq <= state.Seq) return state
  return { ...advance(state, record.Identity, record.Event, history), Seq: record.Seq }
}

/**
 * The next state. A period with an outcome never gets another: an event that would give it one only raises `Seq`. A job
 * begins with `seen`; if its state was removed meanwhile, everything before the event counts as handled.
 */
export function advance(
  state: State | undefined,
  identity: string,
  event: StateEvent,
  history: number = DEFAULT_HISTORY,
): State {
  if (state === undefined && event.kind === 'seen') return newState(identity, event.firstSeen, event.handled)
  const before =
    state ?? newState(identity, UNKNOWN, { HandledThrough: timeBefore(event), HandledPeriods: [] })
  return tidy({ ...change(before, event, history), Seq: before.Seq + 1 })
}

/** The state without the keys of ranges that do not exist. */
function tidy(state: State): State {
  if (state.HandledRanges !== undefined && state.SweptRanges !== undefined) return state
  const { HandledRanges, SweptRanges, ...rest } = state
  return { ...rest, ...(HandledRanges && { HandledRanges }), ...(SweptRanges && { SweptRanges }) }
}

function timeBefore(event: StateEvent): string {
  switch (event.kind) {
    case 'seen':
      return event.firstSeen
    case 'intended':
    case 'adopted':
      return secondBefore(event.execution.PeriodID)
    case 'requested':
      return event.run.ChosenTime
    case 'started':
      return event.startedAt
    case 'finished':
      return event.completedAt
    case 'withdrawn':
    case 'notExecuted':
    case 'reopened':
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
      return { ...state, ...withHandled(state, event.handled) }
    case 'reopened': {
      const { HandledRanges: _, SweptRanges: __, ...rest } = withoutOutcomes(state, event.forgotten ?? [])
      return { ...rest, FirstSeen: event.firstSeen, ...event.handled }
    }
    case 'intended':
      return intended(state, event.execution)
    case 'adopted':
      return adopted(state, event.execution)
    case 'requested':
      return requested(state, event.run)
    case 'withdrawn': {
      const isLeft = (each: ActiveState): boolean => each.ExecutionID !== event.executionId || !isIntent(each)
      return withManual(withActive(state, activeOf(state).filter(isLeft)), manualOf(state).filter(isLeft))
    }
    case 'started':
      return isManual(state, event.executionId) ? manualStarted(state, event) : started(state, event)
    case 'finished':
      return isManual(state, event.executionId)
        ? manualFinished(state, event, history)
        : finished(state, event, history)
    case 'notExecuted':
      return notExecuted(state, event, history)
  }
}

const knows = (state: State, periodId: string): boolean =>
  periodId <= state.HandledThrough ||
  (state.HandledRanges ?? []).some(({ After, Through }) => periodId > After && periodId <= Through) ||
  state.HandledPeriods.includes(periodId) ||
  periodId === state.LastHandledPeriodID ||
  state.History.some(each => each.PeriodID === periodId && each.Forgotten !== true) ||
  activeOf(state).some(each => each.PeriodID === periodId)

/** Whether the period got an outcome before its process was found; history may be short or empty. */
const hasOutcome = ({ History, LastHandledPeriodID, LastOutcome }: State, periodId: string): boolean =>
  History.some(each => each.PeriodID === periodId && each.Forgotten !== true) ||
  (LastHandledPeriodID === periodId && LastOutcome !== '' && LastOutcome !== 'executed')

/** The set of handled periods only grows, whatever an event says: a lowered watermark would run a period twice. */
function withHandled(state: HandledRecord, added: HandledRecord, ...periodIds: string[]): HandledRecord {
  const HandledThrough = [state.HandledThrough, added.HandledThrough].sort()[1]!
  const above = new Set([...state.HandledPeriods, ...added.HandledPeriods, ...periodIds])
  const ranges = (state.HandledRanges ?? []).filter(each => each.Through > HandledThrough)
  const HandledPeriods = [...above].filter(each => each > HandledThrough).sort()
  return {
    HandledThrough,
    HandledPeriods,
    HandledRanges: ranges.length === 0 ? undefined : ranges,
    SweptRanges: added.SweptRanges,
  }
}

function intended(state: State, execution: ActiveState): State {
  return knows(state, execution.PeriodID) ? state : withActive(state, [...activeOf(state), execution])
}

function adopted(state: State, execution: ActiveState): State {
  const known = activeOf(state).some(each => each.ExecutionID === execution.ExecutionID)
  if (known) return state
  const { PeriodID, ChosenTime } = execution
  const isLast = PeriodID >= state.LastHandledPeriodID && !hasOutcome(state, PeriodID)
  return {
    ...withActive(state, [...activeOf(state), execution]),
    ...withHandled(state, state, PeriodID),
    ...(isLast ? lastHandled('executed', PeriodID, ChosenTime, '', '') : {}),
  }
}

const withActive = (state: State, active: readonly ActiveState[]): State => ({
  ...state,
  ActiveExecution: active[0] ?? null,
  ConcurrentExecutions: active.slice(1),
})

function started(state: State, event: StateEvent & { kind: 'started' }): State {
  const running = activeOf(state).find(each => each.ExecutionID === event.executionId)
  if (running === undefined || !isIntent(running)) return state
  return {
    ...withActive(
      state,
      activeOf(state).map(each => (each === running ? begun(each, event) : each)),
    ),
    ...withHandled(state, event.handled, running.PeriodID),
    ...lastHandled('executed', running.PeriodID, running.ChosenTime, '', event.seedHash),
    ...keptUntil(state, event),
    LastRunTime: event.startedAt,
  }
}

function finished(state: State, event: StateEvent & { kind: 'finished' }, history: number): State {
  const running = activeOf(state).find(each => each.ExecutionID === event.executionId)
  if (running === undefined) return state
  const rest = withActive(
    state,
    activeOf(state).filter(each => each !== running),
  )
  if (hasOutcome(state, running.PeriodID)) return rest
  const entry: HistoryEntry = {
    PeriodID: running.PeriodID,
    Outcome: 'executed',
    NominalTime: running.PeriodID,
    ChosenTime: running.ChosenTime,
    ...ending(event),
    StartedAt: running.StartedAt,
    ...measured(running.ExecutionID, event),
  }
  return {
    ...rest,
    ...withHandled(state, state, running.PeriodID),
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
    ...withHandled(state, event.handled, ...periods.map(each => each.periodId)),
    ...lastHandled(last.outcome, last.periodId, last.chosenTime, last.reason, last.seedHash),
    ...keptUntil(state, event),
    History: kept(state.History, entries, history),
  }
}

/** The later of both times; a state without any has no such key. */
function keptUntil(
  { KeepUntil = '' }: State,
  { keepUntil = '' }: { readonly keepUntil?: string },
): Pick<State, 'KeepUntil'> {
  const latest = keepUntil > KeepUntil ? keepUntil : KeepUntil
  return latest === '' ? {} : { KeepUntil: latest }
}

/** The history keeps the entries of forgotten periods, marked; the last outcome is that of the last entry that binds. */
function withoutOutcomes(state: State, periodIds: readonly string[]): State {
  if (periodIds.length === 0) return state
  const forgotten = new Set(periodIds)
  const History = state.History.map(
    (each): HistoryEntry => (forgotten.has(each.PeriodID) ? { ...each, Forgotten: true } : each),
  )
  if (!forgotten.has(state.LastHandledPeriodID)) return { ...state, History }
  const last = History.findLast(each => each.Forgotten !== true)
  return {
    ...state,
    ...lastHandled(last?.Outcome ?? '', last?.PeriodID ?? '', last?.ChosenTime ?? '', last?.Reason ?? '', ''),
    History,
  }
}

const lastHandled = (
  outcome: Outcome | '',
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
