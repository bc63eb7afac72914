import { type Decision, type Difference, decide, parseInstant, recordOf } from '@kron/core'
import type { Entry, State, States } from '@kron/host'
import type { Verification } from './verification.ts'

/** Recomputes the last decision of every job and the chosen times in its history, from its current definition. */
export function verifyStates(
  states: States,
  directory: string,
  entries: readonly Entry[],
  found: Verification,
): void {
  const known = new Map(entries.map(entry => [entry.identity, entry]))
  for (const { path, why } of states.unreadable) found.unreadable.push({ where: path, why })
  for (const state of states.byIdentity.values()) {
    const entry = known.get(state.Identity)
    if (entry === undefined) found.withoutDefinition.push(state.Identity)
    else verifyState(state, entry, directory, found)
  }
}

function verifyState(state: State, entry: Entry, where: string, found: Verification): void {
  const claims = new Map(state.History.map(each => [each.PeriodID, { chosen: each.ChosenTime, seed: '' }]))
  const { LastHandledPeriodID: last, LastChosenTime: chosen, SeedHash: seed } = state
  if (last !== '') claims.set(last, { chosen, seed })
  for (const [periodId, claim] of claims) {
    const nominal = parseInstant(periodId)
    if (!nominal.ok) {
      found.unreadable.push({ where: state.Identity, why: nominal.faults[0]!.message })
      continue
    }
    found.checked++
    const wrong = differencesOf(claim, decide(entry, nominal.value))
    if (wrong.length > 0)
      found.mismatches.push({ identity: state.Identity, periodId, where, differences: wrong })
  }
}

function differencesOf(claim: { chosen: string; seed: string }, decision: Decision): Difference[] {
  const { chosenTime, seedHash } = recordOf(decision)
  const wrong: Difference[] = []
  const recorded = claim.chosen === '' ? null : claim.chosen
  if (recorded !== chosenTime) wrong.push({ field: 'chosenTime', recorded, recomputed: chosenTime })
  if (claim.seed !== '' && claim.seed !== seedHash) {
    wrong.push({ field: 'seedHash', recorded: claim.seed, recomputed: seedHash })
  }
  return wrong
}
