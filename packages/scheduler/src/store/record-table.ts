import { NameIndex } from '../task/name-index.ts'
import type { TaskRecord } from '../task/record.ts'
import { grown, TimeColumns } from '../task/time-columns.ts'
import type { Change } from './store.ts'

/** Records by name, stored in columns: about 100 bytes per task instead of 250. */
export class RecordTable {
  /** Undefined for a free row. */
  #names: (string | undefined)[] = []
  readonly #index = new NameIndex(row => this.#names[row] ?? '')
  readonly #free: number[] = []
  readonly #times = new TimeColumns(0)
  #expressions: string[] = []
  #retryDelayMs: Float64Array = new Float64Array(0)

  get size(): number {
    return this.#index.size
  }

  apply({ put, remove }: Change): void {
    // The first list of tasks gets exactly the space it needs. Later the table grows by half.
    if (this.size === 0) {
      this.#reserve(put.length)
      this.#index.reserve(put.length)
    }
    for (const record of put) this.put(record)
    for (const name of remove) this.remove(name)
  }

  put(record: TaskRecord): void {
    const unused = this.#free.at(-1) ?? this.size
    const row = this.#index.findOrAdd(record.name, unused)
    if (row === unused) {
      this.#free.pop()
      if (row >= this.#times.capacity) this.#reserve(Math.ceil(row * 1.5) + 16)
      this.#names[row] = record.name
    }
    this.#expressions[row] = record.cronExpression
    this.#retryDelayMs[row] = record.retryDelayMs
    this.#times.write(row, record)
  }

  remove(name: string): void {
    const row = this.#index.find(name)
    if (row === undefined) return
    this.#index.remove(name)
    this.#names[row] = undefined
    this.#free.push(row)
  }

  *[Symbol.iterator](): Generator<TaskRecord> {
    for (const [row, name] of this.#names.entries()) {
      if (name === undefined) continue
      yield this.#times.read(row, name, this.#expressions[row]!, this.#retryDelayMs[row]!)
    }
  }

  #reserve(capacity: number): void {
    if (capacity <= this.#times.capacity) return
    this.#times.reserve(capacity)
    this.#retryDelayMs = grown(this.#retryDelayMs, capacity)
    this.#expressions = withRoom(this.#expressions, capacity)
    this.#names = withRoom(this.#names, capacity)
  }
}

/** A copy of the array with enough capacity not to grow. */
function withRoom<T>(old: readonly T[], capacity: number): T[] {
  const larger = new Array<T>(capacity)
  for (let row = 0; row < old.length; row++) larger[row] = old[row]!
  return larger
}
