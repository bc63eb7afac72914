import {
  FINAL_KINDS,
  type Outcome,
  type OutcomeKind,
  outcomeKindOf,
  parseInstant,
  printInstant,
} from '@kron/core'
import { outcomesOf, type State } from '@kron/host'
import type { LastOutcome } from '@kron/host/api'
import { isFailed, type OutcomeRecord } from './outcome-record.ts'

const KINDS = FINAL_KINDS.length

/** The last outcome of every job, in one number each: a million jobs must fit. */
export class LastOutcomes {
  readonly #packed = new Map<string, number>()

  get(identity: string): LastOutcome | null {
    const packed = this.#packed.get(identity)
    if (packed === undefined) return null
    const kind = FINAL_KINDS[packed % KINDS]!
    return {
      kind,
      outcome: outcomeOf(kind),
      failed: isFailed({ kind }),
      at: printInstant(Math.floor(packed / KINDS)),
    }
  }

  learn({ identity, kind, completedAt }: OutcomeRecord): void {
    this.#set(identity, kind, completedAt)
  }

  learnState(state: State): void {
    const last = outcomesOf(state).at(-1)
    if (last !== undefined) return this.learn(last)
    const { Identity, LastOutcome, LastReason, LastExitCode } = state
    if (LastOutcome === '') return
    const kind = outcomeKindOf({
      outcome: LastOutcome,
      reason: LastReason,
      exitCode: LastExitCode,
      signal: null,
    })
    this.#set(Identity, kind, state.LastRunTime || state.LastNominalTime)
  }

  #set(identity: string, kind: OutcomeKind, at: string): void {
    const instant = parseInstant(at)
    this.#packed.set(identity, (instant.ok ? instant.value : 0) * KINDS + FINAL_KINDS.indexOf(kind))
  }
}

const outcomeOf = (kind: OutcomeKind): Outcome =>
  kind === 'skipped' || kind === 'missed' || kind === 'unschedulable' ? kind : 'executed'
