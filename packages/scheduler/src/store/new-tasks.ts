import type { TaskList } from '../registration/parse.ts'
import type { TaskRecord } from '../task/record.ts'
import type { Change } from './store.ts'

/** A list of tasks that are all new to a store. */
export interface NewTasks {
  readonly list: TaskList
  readonly firstSeenAt: number
}

// Beside the change and not in it: a store may copy, alter or serialize a change.
const newTasks = new WeakMap<Change, NewTasks>()

/** The change that stores new tasks. Makes their records when a store reads them: a `RecordTable` takes the columns. */
export function newTasksChange(tasks: NewTasks): Change {
  let records: TaskRecord[] | undefined
  const change: Change = {
    get put() {
      records ??= recordsOf(tasks)
      return records
    },
    remove: [],
  }
  newTasks.set(change, tasks)
  return change
}

/** The new tasks of a change. Undefined for any other change, such as an altered copy. */
export const newTasksOf = (change: Change): NewTasks | undefined => newTasks.get(change)

export const expressionsOf = ({ names, crons, cronOf }: TaskList): string[] =>
  names.map((_, row) => crons[cronOf[row]!]!.expression)

function recordsOf({ list, firstSeenAt }: NewTasks): TaskRecord[] {
  const expressions = expressionsOf(list)
  return list.names.map((name, row) => ({
    name,
    cronExpression: expressions[row]!,
    retryDelayMs: list.retryDelays[row]!,
    firstSeenAt,
  }))
}
