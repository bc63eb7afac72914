import type { StartCause } from '../event.ts'
import type { Change } from '../store/store.ts'
import type { TaskTable } from '../task/task-table.ts'
import type { Outcome } from './runs.ts'

/** The contents of one commit. Starts are kept in columns, because 100,000 of them must not wait for the collector. */
export class Batch {
  /** The time of the decision. */
  readonly at: number
  readonly starts: number[] = []
  readonly causes: StartCause[] = []
  /** For each start, the time since which only the scheduler itself has delayed it. */
  readonly eligibleAt: number[] = []
  /** Slots whose records have changed for other reasons. */
  readonly saves: number[] = []

  /** Slots of the starts whose callbacks have already returned. */
  readonly ended: number[] = []
  readonly outcomes: Outcome[] = []

  constructor(at: number) {
    this.at = at
  }

  get isEmpty(): boolean {
    return this.starts.length === 0 && this.saves.length === 0
  }

  addStart(slot: number, cause: StartCause, eligibleAt: number): void {
    this.starts.push(slot)
    this.causes.push(cause)
    this.eligibleAt.push(eligibleAt)
  }

  addEnd(slot: number, outcome: Outcome): void {
    this.ended.push(slot)
    this.outcomes.push(outcome)
  }

  /** The change to store before the starts happen. */
  change(table: TaskTable, owner: string): Change {
    const put = this.saves.map(slot => table.record(slot))
    for (let index = 0; index < this.starts.length; index++)
      put.push(table.startedRecord(this.starts[index]!, this.at, owner, this.causes[index]!))
    return { put, remove: [] }
  }

  /** The change to store after the starts have happened. */
  changeAfter(table: TaskTable): Change {
    return { put: [...this.saves, ...this.starts].map(slot => table.record(slot)), remove: [] }
  }
}
