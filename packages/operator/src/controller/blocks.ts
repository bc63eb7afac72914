import { backoff } from '../cluster/backoff.ts'
import type { Failure } from '../cluster/failure.ts'

/** Why Jobs of a KronJob cannot be created now, and when that is tried again. */
export interface Block {
  readonly failure: Failure
  /** How many tries in a row have failed. */
  readonly failures: number
  /** Whole epoch seconds. */
  readonly until: number
}

const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 300_000

/** The KronJobs whose Jobs the API server refuses. Only a try that succeeds or a changed spec ends a block. */
export class Blocks {
  readonly #blocks = new Map<string, Block>()
  readonly #random: () => number

  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  get size(): number {
    return this.#blocks.size
  }

  of(key: string): Block | undefined {
    return this.#blocks.get(key)
  }

  /** Another try has failed: the pauses grow from a second to five minutes. */
  add(key: string, failure: Failure, now: number): Block {
    const failures = (this.#blocks.get(key)?.failures ?? 0) + 1
    const pause = backoff(failures - 1, FIRST_PAUSE, LONGEST_PAUSE, this.#random)
    const block = { failure, failures, until: now + Math.ceil(pause / 1000) }
    this.#blocks.set(key, block)
    return block
  }

  end(key: string): void {
    this.#blocks.delete(key)
  }

  clear(): void {
    this.#blocks.clear()
  }
}
