import { newestFirst, type OutcomeRecord } from './outcome-record.ts'

/** The newest outcomes of all jobs, up to a limit: what a whole daemon's history page needs. */
export class RecentOutcomes {
  private readonly limit: number
  /** Newest last: what happens now is added at the end. */
  private readonly records: OutcomeRecord[] = []
  /** Older ones than this were dropped. */
  private floor = ''

  constructor(limit: number) {
    this.limit = limit
  }

  add(record: OutcomeRecord): void {
    if (record.completedAt < this.floor) return
    this.records.splice(this.placeOf(record), 0, record)
    if (this.records.length < this.limit * 2) return
    this.records.splice(0, this.records.length - this.limit)
    this.floor = this.records[0]!.completedAt
  }

  /** Newest first, at most `limit`; later changes do not show in it. */
  list(): readonly OutcomeRecord[] {
    return this.records.slice(-this.limit).reverse()
  }

  private placeOf(record: OutcomeRecord): number {
    const { records } = this
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
