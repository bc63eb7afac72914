import { type Outcome, parseInstant, printInstant } from '@kron/core'
import type { State } from '@kron/host'
import { isFailed, type OutcomeRecord, outcomeOfEntry } from './outcome-record.ts'

export interface LastOutcome {
  readonly outcome: Outcome
  readonly failed: boolean
  readonly at: string
}

const OUTCOMES: readonly Outcome[] = ['executed', 'skipped', 'missed', 'unschedulable']
const FAILED = 4

/** The last outcome of every job, in one number each: a million jobs must fit. */
export class LastOutcomes {
  private readonly packed = new Map<string, number>()

  get(identity: string): LastOutcome | null {
    const packed = this.packed.get(identity)
    if (packed === undefined) return null
    const code = packed % 8
    return {
      outcome: code === FAILED ? 'executed' : OUTCOMES[code]!,
      failed: code === FAILED,
      at: printInstant(Math.floor(packed / 8)),
    }
  }

  learn(record: OutcomeRecord): void {
    this.set(
      record.identity,
      isFailed(record) ? FAILED : OUTCOMES.indexOf(record.outcome),
      record.completedAt,
    )
  }

  learnState({ Identity, LastOutcome, LastExitCode, LastRunTime, LastNominalTime, History }: State): void {
    if (LastOutcome === '') return
    const last = History.at(-1)
    if (last !== undefined) return this.learn(outcomeOfEntry(Identity, last))
    const failed = LastOutcome === 'executed' && LastExitCode !== null && LastExitCode !== 0
    const at = LastRunTime || LastNominalTime
    this.set(Identity, failed ? FAILED : OUTCOMES.indexOf(LastOutcome), at)
  }

  private set(identity: string, code: number, at: string): void {
    const instant = parseInstant(at)
    this.packed.set(identity, (instant.ok ? instant.value : 0) * 8 + code)
  }
}
