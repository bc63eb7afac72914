import { newestFirst, type OutcomeRecord } from './outcome-record.ts'

/** The newest outcomes of all jobs, up to a limit, for the history page of the whole daemon. */
export class RecentOutcomes {
  readonly #limit: number
  /** Newest last, so that a new outcome is added at the end. */
  readonly #records: OutcomeRecord[] = []
  /** Outcomes older than this were dropped. */
  #floor = ''

  constructor(limit: number) {
    this.#limit = limit
  }

  add(record: OutcomeRecord): void {
    if (record.completedAt < this.#floor) return
    this.#records.splice(this.#placeOf(record), 0, record)
    if (this.#records.length < this.#limit * 2) return
    this.#records.splice(0, this.#records.length - this.#limit)
    this.#floor = this.#records[0]!.completedAt
  }

  /** Newest first, at most `limit`; a snapshot that later changes do not affect. */
  list(): readonly OutcomeRecord[] {
    return this.#records.slice(-this.#limit).reverse()
  }

  #placeOf(record: OutcomeRecord): number {
    const records = this.#records
    let low = 0
    let high = records.length
    if (high > 0 && newestFirst(record, records[high - 1]!) <= 0) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (newestFirst(record, records[middle]!) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
