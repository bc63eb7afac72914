import type { Clock } from '@kron/runtime'
import type { ObservedJob } from '../../plan/job.ts'

interface PendingOutcome {
  readonly jobName: string
  readonly catchUp: boolean
  /** The second of the start. */
  readonly now: number
}

/** Milliseconds after the creation of a Job until the outcome is written. */
const DELAY = 1_000

/**
 * KronJobs whose Job is created and whose outcome is not written yet. A short Job ends meanwhile, and then one write
 * tells both. A crash loses nothing, because the announcement and the Job exist.
 */
export class PendingOutcomes {
  readonly #clock: Clock
  readonly #outcomes = new Map<string, PendingOutcome>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `onDue` is called after the delay, unless the outcome was taken before. */
  add(key: string, outcome: PendingOutcome, onDue: () => void): void {
    this.#outcomes.set(key, outcome)
    this.#clock.setTimer(DELAY, () => {
      if (this.#outcomes.get(key) !== outcome) return
      this.#outcomes.delete(key)
      onDue()
    })
  }

  has(key: string): boolean {
    return this.#outcomes.has(key)
  }

  /** The outcome of the key, if it may wait longer: its Job exists and has not ended. */
  waiting(key: string, jobs: readonly ObservedJob[]): PendingOutcome | undefined {
    const outcome = this.#outcomes.get(key)
    const job = outcome && jobs.find(each => each.name === outcome.jobName)
    return job !== undefined && job.finished === undefined && !job.deleting ? outcome : undefined
  }

  /** Removes the outcome, because it is written now. Returns whether periods may have passed unseen before its start. */
  take(key: string): boolean {
    const catchUp = this.#outcomes.get(key)?.catchUp ?? false
    this.#outcomes.delete(key)
    return catchUp
  }

  clear(): void {
    this.#outcomes.clear()
  }
}
