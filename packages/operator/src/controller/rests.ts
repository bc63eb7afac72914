import type { Clock } from '@kron/runtime'
import type { ObservedJob } from '../plan/job.ts'

export interface RestsOptions {
  readonly clock: Clock
  /** Called when a rest is over. */
  readonly onEnd: (key: string, catchUp: boolean) => void
}

interface Rest {
  readonly jobName: string
  readonly catchUp: boolean
  /** The second of the start. */
  readonly now: number
}

/** Milliseconds after the creation of a Job until the outcome is written. */
const LENGTH = 1_000

/**
 * KronJobs whose Job is created and whose outcome is not written yet. A short Job ends meanwhile, and then one write
 * tells both. A crash loses nothing, because the announcement and the Job exist.
 */
export class Rests {
  readonly #options: RestsOptions
  readonly #rests = new Map<string, Rest>()

  constructor(options: RestsOptions) {
    this.#options = options
  }

  begin(key: string, rest: Rest): void {
    this.#rests.set(key, rest)
    this.#options.clock.setTimer(LENGTH, () => {
      if (this.#rests.get(key) !== rest) return
      this.#rests.delete(key)
      this.#options.onEnd(key, rest.catchUp)
    })
  }

  isIn(key: string): boolean {
    return this.#rests.has(key)
  }

  /** The rest of the key, if it still lasts: its Job exists and has not ended. */
  of(key: string, jobs: readonly ObservedJob[]): Rest | undefined {
    const rest = this.#rests.get(key)
    const job = rest && jobs.find(each => each.name === rest.jobName)
    return job !== undefined && job.finished === undefined && !job.deleting ? rest : undefined
  }

  /** Ends a rest early. Returns whether periods may have passed unseen before it. */
  end(key: string): boolean {
    const catchUp = this.#rests.get(key)?.catchUp ?? false
    this.#rests.delete(key)
    return catchUp
  }

  clear(): void {
    this.#rests.clear()
  }
}
