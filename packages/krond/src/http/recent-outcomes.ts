import { newestFirst, type OutcomeRecord } from './outcome-record.ts'

/** The newest outcomes of all jobs, up to a limit: what a whole daemon's history page needs. */
export class RecentOutcomes {
  private readonly limit: number
  private records: OutcomeRecord[] = []
  private sorted = true
  /** Older ones than this were dropped. */
  private floor = ''

  constructor(limit: number) {
    this.limit = limit
  }

  add(record: OutcomeRecord): void {
    if (record.completedAt < this.floor) return
    this.records.push(record)
    this.sorted = false
    if (this.records.length > this.limit * 2) this.settle()
  }

  /** Newest first. */
  list(): readonly OutcomeRecord[] {
    if (!this.sorted) this.settle()
    return this.records
  }

  private settle(): void {
    this.records.sort(newestFirst)
    if (this.records.length > this.limit) {
      this.records.length = this.limit
      this.floor = this.records.at(-1)!.completedAt
    }
    this.sorted = true
  }
}
