import type { Decision } from '@kron/core'

/** A period on its way to an outcome: judged, but without a durable one yet. */
export interface Pending {
  readonly slot: number
  readonly decision: Decision
  phase: 'queued' | 'replacing' | 'starting' | 'retrying'
  /** For `retrying`: the second at which it is judged again. */
  retryAt: number
  tries: number
  /** Why the last try came to nothing; the reason, if the deadline passes over it. */
  refusal: string | undefined
}

const NONE: readonly Pending[] = []

/** The pending periods of all jobs; few at any time, whatever the number of jobs. */
export class PendingPeriods {
  private readonly bySlot = new Map<number, Map<number, Pending>>()

  get(slot: number, nominal: number): Pending | undefined {
    return this.bySlot.get(slot)?.get(nominal)
  }

  of(slot: number): readonly Pending[] {
    const periods = this.bySlot.get(slot)
    return periods === undefined ? NONE : [...periods.values()]
  }

  add(slot: number, decision: Decision, phase: Pending['phase']): Pending {
    const pending: Pending = { slot, decision, phase, retryAt: 0, tries: 0, refusal: undefined }
    const periods = this.bySlot.get(slot) ?? new Map<number, Pending>()
    periods.set(decision.nominal, pending)
    this.bySlot.set(slot, periods)
    return pending
  }

  remove({ slot, decision }: Pending): void {
    const periods = this.bySlot.get(slot)
    periods?.delete(decision.nominal)
    if (periods?.size === 0) this.bySlot.delete(slot)
  }
}
