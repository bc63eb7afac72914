import type { PruneResult } from '../api/act.ts'
import { underStateLock } from '../launch/state-lock.ts'
import { goneJobs, keptBecause } from './gone.ts'
import { readJournalled, readStates, stateFileName } from './read.ts'
import { activeManualOf, activeOf, type State } from './state.ts'

export interface PruneOptions {
  readonly stateDir: string
  /** Epoch seconds. */
  readonly now: number
  readonly dryRun: boolean
}

/** The states of jobs that are gone: those that can be removed, and those that are still needed. */
export function pruneChoice(
  states: Iterable<State>,
  isGone: (identity: string) => boolean,
  isJournalled: (identity: string) => boolean,
  now: number,
): { readonly removable: readonly State[]; readonly kept: PruneResult['kept'] } {
  const removable: State[] = []
  const kept: PruneResult['kept'][number][] = []
  for (const state of states) {
    const { Identity: identity } = state
    if (!isGone(identity)) continue
    const reason = keptBecause(state, now)
    if (reason?.why === 'open') kept.push({ identity, why: 'open', until: reason.until })
    else if (reason !== undefined) kept.push({ identity, why: 'running', until: null })
    else if (isJournalled(identity)) kept.push({ identity, why: 'journal', until: null })
    else removable.push(state)
  }
  return { removable, kept }
}

/** Removes state files and the outputs of their runs, durably. */
export async function removeStates(stateDir: string, states: readonly State[]): Promise<void> {
  const { nodeDisk } = await import('@kron/runtime')
  const ifThere = async (path: string): Promise<void> => {
    await nodeDisk.remove(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  for (const state of states) {
    const runs = [...state.History, ...(state.ManualRuns ?? []), ...activeOf(state), ...activeManualOf(state)]
    for (const { ExecutionID } of runs)
      if (ExecutionID) await ifThere(`${stateDir}/runs/${ExecutionID}.output`)
    await ifThere(`${stateDir}/${stateFileName(state.Identity)}`)
  }
  if (states.length > 0) await nodeDisk.syncDirectory(stateDir)
}

/** Prunes a state directory that no daemon uses. */
export function pruneUnderLock({ stateDir, now, dryRun }: PruneOptions): Promise<PruneResult> {
  return underStateLock(stateDir, async () => {
    const { byIdentity } = await readStates(stateDir, now)
    const journalled = await readJournalled(stateDir)
    const isJournalled = (identity: string): boolean => journalled.has(identity)
    const { removable, kept } = pruneChoice(byIdentity.values(), goneJobs(), isJournalled, now)
    if (!dryRun) await removeStates(stateDir, removable)
    return { removed: removable.map(each => each.Identity), kept }
  })
}
