import type { StartCause } from '../event.ts'
import type { Change } from '../store/store.ts'
import type { TaskTable } from '../task/task-table.ts'
import { type Outcome, SUCCESS } from './runs.ts'

/** The contents of one commit. Starts are kept in columns, because 100,000 of them must not wait for the collector. */
export class Batch {
  /** The time of the decision. */
  readonly at: number
  /** Slots of the tasks to start. */
  readonly starts: readonly number[]
  readonly causes: readonly StartCause[]
  /** Slots whose records have changed for other reasons. */
  readonly saves: number[] = []

  /** Slots of the starts whose callbacks have already returned. */
  readonly ended: number[] = []
  /** The outcomes of those that failed, by slot. */
  readonly #failures = new Map<number, Outcome>()

  constructor(at: number, starts: readonly number[], causes: readonly StartCause[]) {
    this.at = at
    this.starts = starts
    this.causes = causes
  }

  get isEmpty(): boolean {
    return this.starts.length === 0 && this.saves.length === 0
  }

  addEnd(slot: number, outcome: Outcome): void {
    this.ended.push(slot)
    if (outcome !== SUCCESS) this.#failures.set(slot, outcome)
  }

  /** The outcome of a start whose callback has already returned. */
  outcome(slot: number): Outcome {
    return this.#failures.get(slot) ?? SUCCESS
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
