import { jitteredBackoff } from '../../cluster/backoff.ts'
import type { Failure } from '../../cluster/failure.ts'
import type { Block } from '../../plan/plan.ts'

const FIRST_BACKOFF_MS = 1_000
const LONGEST_BACKOFF_MS = 300_000

/** The KronJobs whose Jobs the API server refuses, with the number of refusals in a row. */
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

  /** Records a failed try. The back-off grows from a second to five minutes. */
  add(key: string, failure: Failure, now: number): Block {
    const failures = (this.#blocks.get(key)?.failures ?? 0) + 1
    const backoffMs = jitteredBackoff(failures, FIRST_BACKOFF_MS, LONGEST_BACKOFF_MS, this.#random)
    const block = { failure, failures, until: now + Math.ceil(backoffMs / 1000) }
    this.#blocks.set(key, block)
    return block
  }

  /** Records a successful dry run. Only a created Job ends the block. */
  lift(key: string): void {
    const block = this.#blocks.get(key)
    if (block) this.#blocks.set(key, { ...block, isLifted: true })
  }

  /** Ends the block: a Job was created, or the KronJob has changed or is gone. */
  end(key: string): void {
    this.#blocks.delete(key)
  }

  clear(): void {
    this.#blocks.clear()
  }
}
