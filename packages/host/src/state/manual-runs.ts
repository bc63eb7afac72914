import { begun, ending, isIntent, measured } from './execution-record.ts'
import type { ManualRun, State } from './state.ts'
import type { StateEvent } from './state-event.ts'

export const manualOf = ({ ManualRuns = [] }: State): readonly ManualRun[] => ManualRuns

export const isManual = (state: State, executionId: string): boolean =>
  manualOf(state).some(each => each.ExecutionID === executionId)

export const withManual = ({ ManualRuns: _, ...state }: State, runs: readonly ManualRun[]): State =>
  runs.length === 0 ? state : { ...state, ManualRuns: runs }

/** A request id counts only once. */
export const requested = (state: State, run: ManualRun): State =>
  manualOf(state).some(each => each.RequestID === run.RequestID)
    ? state
    : withManual(state, [...manualOf(state), run])

export const manualStarted = (state: State, event: StateEvent & { kind: 'started' }): State =>
  withManual(
    state,
    manualOf(state).map(each =>
      each.ExecutionID === event.executionId && isIntent(each) ? begun(each, event) : each,
    ),
  )

/** Runs that have not ended are always kept. */
export function manualFinished(
  state: State,
  event: StateEvent & { kind: 'finished' },
  history: number,
): State {
  const runs = manualOf(state).map(each =>
    each.ExecutionID === event.executionId && each.CompletedAt === undefined
      ? { ...each, ...ending(event), ...measured(each.ExecutionID, event) }
      : each,
  )
  const surplus = runs.filter(each => each.CompletedAt !== undefined).length - history
  let dropped = 0
  return withManual(
    state,
    runs.filter(each => each.CompletedAt === undefined || ++dropped > surplus),
  )
}
