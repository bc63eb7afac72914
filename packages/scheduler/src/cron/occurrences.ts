import { type Cron, matches, next, prev, type Zone } from '@kron/core'

/** The instants at which a task is due, in epoch milliseconds. */
export interface Occurrences {
  /** The first occurrence after an instant. Infinite if there is none. */
  after(at: number): number
  /** The last occurrence at or before an instant. Undefined if there is none. */
  last(at: number): number | undefined
  /** Whether an instant lies in the minute that begins with an occurrence. */
  holds(at: number): boolean
  /** The longest delay, in milliseconds, between an occurrence and a run that serves it. */
  readonly deadlineMs: number
}

/** The minutes that a cron matches. Tasks that share a cron repeat the same query, so the last answer is cached. */
export class CronOccurrences implements Occurrences {
  readonly deadlineMs: number
  readonly #cron: Cron
  readonly #zone: Zone
  #from = Number.NaN
  #next = Number.NaN
  #asked = Number.NaN
  #holds = false

  constructor(cron: Cron, zone: Zone, deadlineMs = Number.POSITIVE_INFINITY) {
    this.#cron = cron
    this.#zone = zone
    this.deadlineMs = deadlineMs
  }

  after(at: number): number {
    if (at >= this.#from && at < this.#next) return this.#next
    const found = next(this.#cron, this.#zone, Math.floor(at / 1000))
    this.#from = at
    this.#next = found === undefined ? Number.POSITIVE_INFINITY : found * 1000
    return this.#next
  }

  last(at: number): number | undefined {
    const found = prev(this.#cron, this.#zone, Math.floor(at / 1000))
    return found === undefined ? undefined : found * 1000
  }

  holds(at: number): boolean {
    if (at === this.#asked) return this.#holds
    this.#asked = at
    this.#holds = matches(this.#cron, this.#zone, Math.floor(at / 1000))
    return this.#holds
  }
}
