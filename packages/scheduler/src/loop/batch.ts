import type { StartCause } from '../event.ts'
import type { Change } from '../store/store.ts'
import type { TaskTable } from '../task/task-table.ts'

/** A start that must be durable before it happens. */
export interface Start {
  readonly slot: number
  readonly cause: StartCause
  /** When it was decided. */
  readonly at: number
  /** Since when nothing but the scheduler itself has kept the task from starting. */
  readonly eligibleAt: number
}

/** What one commit carries. */
export interface Batch {
  readonly starts: readonly Start[]
  /** Slots whose records have changed otherwise. */
  readonly saves: readonly number[]
}

export const isEmpty = ({ starts, saves }: Batch): boolean => starts.length === 0 && saves.length === 0

export function changeOf({ starts, saves }: Batch, table: TaskTable, owner: string): Change {
  const put = saves.map(slot => table.record(slot))
  for (const { slot, at } of starts) put.push(table.startedRecord(slot, at, owner))
  return { put, remove: [] }
}
