/** The guarantees, by document and number. */
export const INVARIANTS = {
  'SPEC 1': 'the chosen time is within the window',
  'SPEC 2': 'at most one execution per identity and period',
  'SPEC 3': 'the same inputs and period give the same chosen time',
  'SPEC 4': 'no unbounded historical replay',
  'SPEC 5': 'terminal outcomes are monotonic and permanent',
  'SPEC 6': 'suspension prevents executions without advancing handled periods',
  'SPEC 7': 'a period that constraints make impossible is unschedulable, and nothing is executed',
  'STATE 1': 'at most one execution per identity and period',
  'STATE 2': 'no duplicate execution after a crash',
  'STATE 3': 'no replay of periods that are handled',
  'STATE 4': 'terminal outcomes are permanent',
  'STATE 5': 'an active execution is recoverable after a restart',
  'STATE 6': 'corrupted state does not cause a duplicate execution',
  'STATE 7': 'history retention does not affect scheduling',
  'ERROR-MODEL 1': 'no duplicate execution for the same period',
  'ERROR-MODEL 2': 'no execution without a valid decision',
  'ERROR-MODEL 3': 'no execution when the configuration is invalid',
  'ERROR-MODEL 4': 'no execution beyond the deadline',
  'ERROR-MODEL 5': 'fatal persistence errors prevent further scheduling',
  'ERROR-MODEL 6': 'unschedulable periods are terminal',
  'ERROR-MODEL 7': 'a failed execution is not retried',
  'EXECUTION 1': 'at most one execution per period',
  'EXECUTION 2': 'no uncontrolled backfill',
  'EXECUTION 3': 'no duplicate execution due to a restart',
  'EXECUTION 4': 'no hidden implicit retries',
  'EXECUTION 5': 'execution failures are surfaced through logs and exit codes',
  'krond concurrency': 'nothing starts beside another unless the policy allows it',
  'krond trigger': 'nothing starts before its chosen time',
  'krond liveness': 'what is due is judged',
  'krond durability': 'a state can be read after any crash',
} as const

export type Invariant = keyof typeof INVARIANTS

/** A violation of an invariant. */
export class Violation extends Error {
  readonly invariants: readonly Invariant[]

  constructor(invariants: readonly Invariant[], message: string) {
    super(`${invariants.map(each => `${each} (${INVARIANTS[each]})`).join(', ')}: ${message}`)
    this.name = 'Violation'
    this.invariants = invariants
  }
}
