import { backoff } from '../cluster/backoff.ts'
import type { Failure } from '../cluster/failure.ts'

/** Why Jobs of a KronJob cannot be created now, and when that is tried again. */
export interface Block {
  readonly failure: Failure
  /** How many tries in a row have failed. */
  readonly failures: number
  /** Whole epoch seconds. */
  readonly until: number
  /** Whether a dry run has passed since: Jobs are tried again, but the failures still count. */
  readonly isLifted?: boolean
}

const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 300_000

/** The KronJobs whose Jobs the API server refuses, and how often it has refused them in a row. */
export class Blocks {
  readonly #blocks = new Map<string, Block>()
  readonly #random: () => number

  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  get size(): number {
    return [...this.#blocks.values()].filter(each => !each.isLifted).length
  }

  of(key: string): Block | undefined {
    const block = this.#blocks.get(key)
    return block?.isLifted ? undefined : block
  }

  /** Another try has failed: the pauses grow from a second to five minutes. */
  add(key: string, failure: Failure, now: number): Block {
    const failures = (this.#blocks.get(key)?.failures ?? 0) + 1
    const pause = backoff(failures - 1, FIRST_PAUSE, LONGEST_PAUSE, this.#random)
    const block = { failure, failures, until: now + Math.ceil(pause / 1000) }
    this.#blocks.set(key, block)
    return block
  }

  /** A dry run has passed. Only a Job that is created shows that the trouble is over. */
  lift(key: string): void {
    const block = this.#blocks.get(key)
    if (block) this.#blocks.set(key, { ...block, isLifted: true })
  }

  /** A Job was created, or the KronJob has changed or is gone. */
  end(key: string): void {
    this.#blocks.delete(key)
  }

  clear(): void {
    this.#blocks.clear()
  }
}
