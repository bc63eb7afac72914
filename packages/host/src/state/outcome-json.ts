import { nameOf } from '../job-file/entry.ts'
import { type ActiveState, activeOf, type State } from './state.ts'

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
