import { type Cron, matches, next, type Zone } from '@kron/core'

/**
 * The occurrences of one expression in one zone, in epoch milliseconds. Tasks that share an expression ask
 * the same question in a row, so the last answer is kept.
 */
export class Occurrences {
  readonly #cron: Cron
  readonly #zone: Zone
  #from = Number.NaN
  #next = Number.NaN
  #asked = Number.NaN
  #holds = false

  constructor(cron: Cron, zone: Zone) {
    this.#cron = cron
    this.#zone = zone
  }

  /** The first occurrence after an instant; infinite if there is none. */
  after(at: number): number {
    if (at >= this.#from && at < this.#next) return this.#next
    const found = next(this.#cron, this.#zone, Math.floor(at / 1000))
    this.#from = at
    this.#next = found === undefined ? Number.POSITIVE_INFINITY : found * 1000
    return this.#next
  }

  /** Whether the minute that holds an instant is an occurrence. */
  holds(at: number): boolean {
    if (at === this.#asked) return this.#holds
    this.#asked = at
    this.#holds = matches(this.#cron, this.#zone, Math.floor(at / 1000))
    return this.#holds
  }
}
