import type { StartCause } from '../event.ts'
import type { Change } from '../store/store.ts'
import type { TaskTable } from '../task/task-table.ts'
import type { Outcome } from './runs.ts'

/** What one commit carries. Starts are in columns: there may be a hundred thousand, and none may wait for the collector. */
export class Batch {
  /** When it was decided. */
  readonly at: number
  readonly starts: number[] = []
  readonly causes: StartCause[] = []
  /** Since when nothing but the scheduler itself has kept a task from starting. */
  readonly eligibleAt: number[] = []
  /** Slots whose records have changed otherwise. */
  readonly saves: number[] = []

  /** Slots of the starts whose callbacks have done all their work at once. */
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

  /** What has to be stored before the starts happen. */
  change(table: TaskTable, owner: string): Change {
    const put = this.saves.map(slot => table.record(slot))
    for (let index = 0; index < this.starts.length; index++)
      put.push(table.startedRecord(this.starts[index]!, this.at, owner, this.causes[index]!))
    return { put, remove: [] }
  }

  /** What can be stored once they have happened. */
  changeAfter(table: TaskTable): Change {
    return { put: [...this.saves, ...this.starts].map(slot => table.record(slot)), remove: [] }
  }
}
