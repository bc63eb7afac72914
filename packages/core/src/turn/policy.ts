import { SECOND } from '../time/duration.ts'

export type Concurrency = 'allow' | 'forbid' | 'replace'

export interface Policy {
  readonly concurrency: Concurrency
  /** The longest time, in nanoseconds, from the chosen second to the judgement that starts the period. */
  readonly deadline: number
  readonly suspend: boolean
}

export const DEFAULT_POLICY: Policy = { concurrency: 'forbid', deadline: 0, suspend: false }

/** The last whole second at which a period chosen at `chosen` may still be judged to start. */
export const lastStart = (policy: Policy, chosen: number): number =>
  chosen + Math.floor(policy.deadline / SECOND)

export interface Situation {
  readonly decision: { readonly chosen: number | null; readonly windowStart: number }
  readonly policy: Policy
  /** Whether this period is handled, or its run is under way. `turn` never asks about such a period, so it always gives false. */
  readonly handled: boolean
  /** Whether an execution of the job is running. */
  readonly active: boolean
  /**
   * The whole epoch second at which the period is judged. It is read once for all jobs that wake together. For a start
   * that is prepared, it is the second to come.
   */
  readonly now: number
}

export type Verdict =
  | { readonly kind: 'alreadyHandled' }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'unschedulable' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'miss' }
  | { readonly kind: 'skip'; readonly reason: 'concurrency' }
  | { readonly kind: 'replace' }
  | { readonly kind: 'execute' }

/** Judges one period at `now`. Pure; an adapter carries the verdict out. */
export function judge({ decision, policy, handled, active, now }: Situation): Verdict {
  if (handled) return { kind: 'alreadyHandled' }
  if (policy.suspend) return { kind: 'suspended' }
  if (decision.chosen === null) {
    // Recorded only once the window opens, so that an edit can still save a future period.
    return now < decision.windowStart
      ? { kind: 'wait', until: decision.windowStart }
      : { kind: 'unschedulable' }
  }
  if (now < decision.chosen) return { kind: 'wait', until: decision.chosen }
  if (now > lastStart(policy, decision.chosen)) return { kind: 'miss' }
  if (!active || policy.concurrency === 'allow') return { kind: 'execute' }
  return policy.concurrency === 'forbid' ? { kind: 'skip', reason: 'concurrency' } : { kind: 'replace' }
}
