import { RecordTable } from './record-table.ts'
import type { Store } from './store.ts'

/** Keeps tasks as long as the store itself lives: for tests, and for whoever does not mind. */
export function memoryStore(): Store {
  const table = new RecordTable()
  return {
    volatile: true,
    load: async () => [...table],
    commit: async change => table.apply(change),
    close: () => {},
  }
}
