import { RecordTable } from './record-table.ts'
import type { Change, Store } from './store.ts'

/** Keeps tasks as long as the store itself lives: for tests, and for whoever does not mind. */
export function memoryStore(): Store {
  const table = new RecordTable()
  let waiting: Change[] = []
  const settle = () => {
    for (const change of waiting) table.apply(change)
    waiting = []
  }
  return {
    load: async () => {
      settle()
      return [...table]
    },
    // Filed when there is time: a commit is what starts wait for.
    commit: async change => {
      if (waiting.push(change) === 1) setImmediate(settle)
    },
    close: () => {},
  }
}
