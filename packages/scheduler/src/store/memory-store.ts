import { RecordTable } from './record-table.ts'
import type { Store } from './store.ts'

/** Keeps tasks as long as the store itself lives: for tests, and for whoever does not mind. */
export function memoryStore(): Store {
  const table = new RecordTable()
  let open = false
  return {
    volatile: true,
    load: async () => {
      if (open)
        throw new Error(
          'the memory store is open already: a store is for one scheduler at a time; stop the other one, or make another store',
        )
      open = true
      return [...table]
    },
    commit: async change => table.apply(change),
    close: () => {
      open = false
    },
  }
}
