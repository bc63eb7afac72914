import { nameOf } from '../job-file/entry.ts'
import { type ActiveState, activeOf, type HistoryEntry, type State } from './state.ts'

/** An outcome as JSON; unknown times are null. */
export const outcomeDocument = (entry: HistoryEntry) => ({
  periodId: entry.PeriodID,
  outcome: entry.Outcome,
  reason: entry.Reason ?? '',
  nominalTime: entry.NominalTime,
  chosenTime: entry.ChosenTime || null,
  startedAt: entry.StartedAt || null,
  completedAt: entry.CompletedAt || null,
  exitCode: entry.ExitCode,
  signal: entry.Signal ?? null,
})

export const runningDocument = (identity: string, active: ActiveState) => ({
  job: nameOf(identity),
  identity,
  periodId: active.PeriodID,
  chosenTime: active.ChosenTime || null,
  startedAt: active.StartedAt || null,
  pid: active.PID === 0 ? null : active.PID,
  executionId: active.ExecutionID,
})

export const lastDocument = (state: State) => ({
  job: nameOf(state.Identity),
  identity: state.Identity,
  outcome: state.LastOutcome === '' ? null : state.LastOutcome,
  reason: state.LastReason,
  periodId: state.LastHandledPeriodID || null,
  chosenTime: state.LastChosenTime || null,
  lastRunTime: state.LastRunTime || null,
  exitCode: state.LastExitCode,
  running: activeOf(state).length,
})
