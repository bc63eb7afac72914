import { backoff } from '@kron/runtime'

/** One message to send. */
export interface Errand {
  /** Rejects with the reason if the target did not accept it. */
  send(): Promise<void>
  /** Epoch milliseconds; after it the errand is given up. */
  readonly expiresAt: number
  done(): Promise<void>
  failed(why: string): void
  /** It expired. */
  givenUp(why: string): Promise<void>
}

export interface LaneOptions {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly firstBackoffMs?: number
  readonly longestBackoffMs?: number
}

const FIRST_BACKOFF_MS = 5_000
const LONGEST_BACKOFF_MS = 15 * 60_000

/**
 * The errands to one target, sent one at a time. After a failure the target gets a pause, twice as long each time, and
 * the errand goes to the end of the queue: one that is always refused does not hold up the others.
 */
export class Lane {
  readonly #options: Required<LaneOptions>
  readonly #errands: Errand[] = []
  #failures = 0
  #isBusy = false
  #stopped = false
  #wake: () => void = () => {}

  constructor(options: LaneOptions) {
    this.#options = { firstBackoffMs: FIRST_BACKOFF_MS, longestBackoffMs: LONGEST_BACKOFF_MS, ...options }
  }

  add(errand: Errand): void {
    this.#errands.push(errand)
    if (!this.#isBusy) void this.#run()
  }

  /** After this, no errand is sent. */
  stop(): void {
    this.#stopped = true
    this.#wake()
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    for (;;) {
      const errand = this.#errands.shift()
      if (errand === undefined || this.#stopped) break
      const why = await this.#try(errand)
      if (why === undefined) continue
      if (this.#options.now() >= errand.expiresAt) {
        await errand.givenUp(why)
        continue
      }
      errand.failed(why)
      this.#errands.push(errand)
      await this.#pause()
    }
    this.#isBusy = false
  }

  async #try(errand: Errand): Promise<string | undefined> {
    try {
      await errand.send()
    } catch (error) {
      this.#failures++
      return (error as Error).message
    }
    this.#failures = 0
    await errand.done()
    return undefined
  }

  async #pause(): Promise<void> {
    const { firstBackoffMs, longestBackoffMs } = this.#options
    const backoffMs = backoff(this.#failures, firstBackoffMs, longestBackoffMs)
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, backoffMs)
      timer.unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
