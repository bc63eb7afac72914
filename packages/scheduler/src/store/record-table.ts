import type { TaskRecord } from '../task/record.ts'
import { RecordColumns } from '../task/record-columns.ts'
import type { Change } from './store.ts'

/** Records by name, in columns. */
export class RecordTable {
  #columns = new RecordColumns(0)
  readonly #rows = new Map<string, number>()
  readonly #free: number[] = []

  get size(): number {
    return this.#rows.size
  }

  apply({ put, remove }: Change): void {
    for (const record of put) this.put(record)
    for (const name of remove) this.remove(name)
  }

  put(record: TaskRecord): void {
    let row = this.#rows.get(record.name)
    if (row === undefined) {
      row = this.#free.pop() ?? this.#rows.size
      this.#rows.set(record.name, row)
    }
    this.#columns.write(row, record)
  }

  remove(name: string): void {
    const row = this.#rows.get(name)
    if (row === undefined) return
    this.#rows.delete(name)
    this.#columns.owners.delete(row)
    this.#columns.names[row] = ''
    this.#free.push(row)
  }

  *[Symbol.iterator](): Generator<TaskRecord> {
    for (const row of this.#rows.values()) yield this.#columns.read(row)
  }

  clear(): void {
    this.#rows.clear()
    this.#free.length = 0
    this.#columns = new RecordColumns(0)
  }
}
