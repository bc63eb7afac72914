import type { Report } from '../report.ts'
import type { TaskTable } from '../task/task-table.ts'
import type { Outcome } from './runs.ts'

/** A change that the store does not have yet: the end of a task's run, or only a changed record. */
type News = Outcome | { readonly kind: 'amended' }

const AMENDED: News = { kind: 'amended' }

/** The tasks with unsaved changes. */
export class Unsaved {
  readonly #table: TaskTable
  readonly #report: Report
  readonly #news = new Map<number, News>()

  constructor(table: TaskTable, report: Report) {
    this.#table = table
    this.#report = report
  }

  get size(): number {
    return this.#news.size
  }

  slots(): Iterable<number> {
    return this.#news.keys()
  }

  end(slot: number, outcome: Outcome): void {
    this.#news.set(slot, outcome)
  }

  amend(slot: number): void {
    if (!this.#news.has(slot)) this.#news.set(slot, AMENDED)
  }

  /** Called once the change is stored. Reports the end of the run. */
  settle(slot: number, at: number): void {
    if (this.#news.size === 0) return
    const news = this.#news.get(slot)
    if (news === undefined) return
    this.#news.delete(slot)
    const taskName = this.#table.name(slot)
    if (news.kind === 'success' && this.#report.details) {
      this.#report({ type: 'TaskRunCompleted', at, taskName, endedAt: this.#table.lastSuccessAt(slot) })
    } else if (news.kind === 'failure') {
      const endedAt = this.#table.lastFailureAt(slot)
      const pendingRetryUntil = this.#table.pendingRetryUntil(slot)
      const retry = pendingRetryUntil === undefined ? {} : { pendingRetryUntil }
      this.#report({ type: 'TaskRunFailed', at, taskName, endedAt, error: news.error, ...retry })
    }
  }

  clear(): void {
    this.#news.clear()
  }
}
