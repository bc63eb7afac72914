/**
 * The specification of at-most-once as a sequential object, and a checker for histories of it.
 *
 * Each key (identity and period) names one register. It is open at first. A run moves it to `executed`, and a register
 * accepts one run. An outcome moves an open register to that outcome, and is accepted again as long as it is the
 * same. No operation leaves a terminal outcome.
 *
 * Every accepted history has the same result in any order, because no operation depends on an earlier one of another
 * key and two different operations on one key never both succeed. A history is therefore linearizable if and only if
 * it is accepted in the order in which it happens to be observed. The checker needs no clock, and knows nothing of krond,
 * the operator or the scheduler: it gets only the facts that children, Jobs, callbacks, logs and states report.
 */
export type Contradiction =
  | { readonly kind: 'ran twice'; readonly key: string; readonly by: string; readonly before: string }
  | { readonly kind: 'ran despite'; readonly key: string; readonly by: string; readonly outcome: string }
  | {
      readonly kind: 'changed'
      readonly key: string
      readonly by: string
      readonly from: string
      readonly to: string
    }

interface Register {
  /** The reporter of the run. */
  ranBy?: string
  outcome?: string
}

/** Follows one history, and says which facts contradict the earlier ones. */
export class Once {
  readonly contradictions: Contradiction[] = []
  readonly #registers = new Map<string, Register>()

  /** A run really happened. Every call is another run; `by` names its process, Job or callback. */
  ran(key: string, by: string): Contradiction | undefined {
    const register = this.#register(key)
    const { ranBy, outcome } = register
    register.ranBy ??= by
    register.outcome ??= 'executed'
    if (ranBy !== undefined) return this.#found({ kind: 'ran twice', key, by, before: ranBy })
    if (outcome !== undefined && outcome !== 'executed')
      return this.#found({ kind: 'ran despite', key, by, outcome })
    return undefined
  }

  /** A log, a state or a status reports a terminal outcome. */
  outcome(key: string, outcome: string, by: string): Contradiction | undefined {
    const register = this.#register(key)
    const before = register.ranBy === undefined ? register.outcome : 'executed'
    register.outcome ??= outcome
    if (before === undefined || before === outcome) return undefined
    return this.#found({ kind: 'changed', key, by, from: before, to: outcome })
  }

  /** Whether a run or an outcome of this key was reported. */
  knows(key: string): boolean {
    return this.#registers.has(key)
  }

  #register(key: string): Register {
    const known = this.#registers.get(key)
    if (known !== undefined) return known
    const register: Register = {}
    this.#registers.set(key, register)
    return register
  }

  #found(contradiction: Contradiction): Contradiction {
    this.contradictions.push(contradiction)
    return contradiction
  }
}

/** A contradiction in words. */
export function inWords(contradiction: Contradiction): string {
  const { key, by } = contradiction
  switch (contradiction.kind) {
    case 'ran twice':
      return `${key} ran twice: ${contradiction.before}, then ${by}`
    case 'ran despite':
      return `${key} was ${contradiction.outcome}, yet it ran: ${by}`
    case 'changed':
      return `${key} was ${contradiction.from}, is ${contradiction.to} by ${by}`
  }
}

/** Says which of these runs, in the order in which they happened, repeat an earlier one. Each has only its key. */
export function ranTwice(runs: readonly string[]): string[] {
  const once = new Once()
  for (const [n, key] of runs.entries()) once.ran(key, `run ${n + 1}`)
  return once.contradictions.map(inWords)
}
