import type { TaskRecord } from '../task/record.ts'
import { grown, TimeColumns } from '../task/time-columns.ts'
import { expressionsOf, type NewTasks, newTasksOf } from './new-tasks.ts'
import type { Change } from './store.ts'

/** Records by name, stored in columns: about half the memory of one object per record. */
export class RecordTable {
  readonly #rowOf = new Map<string, number>()
  readonly #free: number[] = []
  #times = new TimeColumns(0)
  #expressions: string[] = []
  #retryDelayMs: Float64Array = new Float64Array(0)

  get size(): number {
    return this.#rowOf.size
  }

  apply(change: Change): void {
    const added = newTasksOf(change)
    if (added !== undefined && this.size === 0) return this.#fill(added)
    const { put, remove } = change
    // The first records get exactly the space they need. Later the table grows by half.
    if (this.size === 0) this.#reserve(put.length)
    for (const record of put) this.put(record)
    for (const name of remove) this.remove(name)
  }

  put(record: TaskRecord): void {
    let row = this.#rowOf.get(record.name)
    if (row === undefined) {
      row = this.#free.pop() ?? this.size
      this.#rowOf.set(record.name, row)
      if (row >= this.#times.capacity) this.#reserve(Math.ceil(row * 1.5) + 16)
    }
    this.#expressions[row] = record.cronExpression
    this.#retryDelayMs[row] = record.retryDelayMs
    this.#times.write(row, record)
  }

  remove(name: string): void {
    const row = this.#rowOf.get(name)
    if (row === undefined) return
    this.#rowOf.delete(name)
    this.#free.push(row)
  }

  *[Symbol.iterator](): Generator<TaskRecord> {
    for (const [name, row] of this.#rowOf)
      yield this.#times.read(row, name, this.#expressions[row]!, this.#retryDelayMs[row]!)
  }

  /** Copies whole columns into the empty table. One record per task would cost as much as the rest of a registration. */
  #fill({ list, firstSeenAt }: NewTasks): void {
    this.#free.length = 0
    this.#times = TimeColumns.firstSeen(list.names.length, firstSeenAt)
    this.#retryDelayMs = list.retryDelays.slice()
    this.#expressions = expressionsOf(list)
    for (let row = 0; row < list.names.length; row++) this.#rowOf.set(list.names[row]!, row)
  }

  #reserve(capacity: number): void {
    if (capacity <= this.#times.capacity) return
    this.#times.reserve(capacity)
    this.#retryDelayMs = grown(this.#retryDelayMs, capacity)
    this.#expressions = withRoom(this.#expressions, capacity)
  }
}

/** A copy of the array with enough capacity not to grow. */
function withRoom<T>(old: readonly T[], capacity: number): T[] {
  const larger = new Array<T>(capacity)
  for (let row = 0; row < old.length; row++) larger[row] = old[row]!
  return larger
}
