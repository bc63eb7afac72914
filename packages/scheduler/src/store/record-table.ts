import type { TaskRecord } from '../task/record.ts'
import { grown, TimeColumns } from '../task/time-columns.ts'
import type { Change } from './store.ts'

/** Records by name, in columns: about 100 bytes a task instead of 250. */
export class RecordTable {
  readonly #rows = new Map<string, number>()
  readonly #free: number[] = []
  readonly #times = new TimeColumns(0)
  #expressions: string[] = []
  #retryDelayMs: Float64Array = new Float64Array(0)

  get size(): number {
    return this.#rows.size
  }

  apply({ put, remove }: Change): void {
    // Exactly enough for a first list of tasks; later growth is by half.
    if (this.size === 0) this.#reserve(put.length)
    for (const record of put) this.put(record)
    for (const name of remove) this.remove(name)
  }

  put(record: TaskRecord): void {
    let row = this.#rows.get(record.name)
    if (row === undefined) {
      row = this.#free.pop() ?? this.#rows.size
      if (row >= this.#times.capacity) this.#reserve(Math.ceil(row * 1.5) + 16)
      this.#rows.set(record.name, row)
    }
    this.#expressions[row] = record.cronExpression
    this.#retryDelayMs[row] = record.retryDelayMs
    this.#times.write(row, record)
  }

  remove(name: string): void {
    const row = this.#rows.get(name)
    if (row === undefined) return
    this.#rows.delete(name)
    this.#free.push(row)
  }

  *[Symbol.iterator](): Generator<TaskRecord> {
    for (const [name, row] of this.#rows) {
      yield this.#times.read(row, name, this.#expressions[row]!, this.#retryDelayMs[row]!)
    }
  }

  #reserve(capacity: number): void {
    if (capacity <= this.#times.capacity) return
    this.#times.reserve(capacity)
    this.#retryDelayMs = grown(this.#retryDelayMs, capacity)
    const expressions = new Array<string>(capacity)
    for (let row = 0; row < this.#expressions.length; row++) expressions[row] = this.#expressions[row]!
    this.#expressions = expressions
  }
}
