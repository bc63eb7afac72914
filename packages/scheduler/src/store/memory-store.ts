import { RecordTable } from './record-table.ts'
import type { Store } from './store.ts'

/** Keeps tasks only in memory: for tests, and for programs that need no persistence. */
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
