import {
  type ActiveState,
  activeManualOf,
  activeOf,
  claimOf,
  type ManualRun,
  type State,
  type StateRecord,
} from '@kron/host'

/** The claims and executions that are no longer needed after one state file was written. */
export interface SavedState {
  readonly identity: string
  /** Claims whose runs have ended. */
  readonly endedClaims: readonly string[]
  /** Executions that are no longer in the history. */
  readonly forgotten: readonly string[]
}

/** The claims and executions that are not needed once the state file of `after` is written. */
export function savedState(
  before: State | undefined,
  after: State,
  records: readonly StateRecord[],
): SavedState {
  const { Identity: identity } = after
  const claims = new Map<string, string>()
  const claim = (run: ActiveState | ManualRun): void =>
    void claims.set(run.ExecutionID, claimOf(identity, run))
  if (before !== undefined) for (const each of [...activeOf(before), ...activeManualOf(before)]) claim(each)
  const endedClaims: string[] = []
  const executions = new Set(before === undefined ? [] : executionsOf(before))
  for (const { Event: event } of records) {
    if (event.kind === 'intended' || event.kind === 'adopted') claim(event.execution)
    if (event.kind === 'requested') claim(event.run)
    if (event.kind !== 'finished') continue
    executions.add(event.executionId)
    const ended = claims.get(event.executionId)
    if (ended !== undefined) endedClaims.push(ended)
  }
  for (const each of executionsOf(after)) executions.delete(each)
  // After a forced reset, a later run of the same period may have the same claim.
  const held = new Set([...activeOf(after), ...activeManualOf(after)].map(each => claimOf(identity, each)))
  return {
    identity,
    endedClaims: endedClaims.filter(each => !held.has(each)),
    forgotten: [...executions],
  }
}

/** The executions in a state. */
export const executionsOf = ({ History, ManualRuns = [] }: State): readonly string[] =>
  [...History, ...ManualRuns].flatMap(each => each.ExecutionID ?? [])
