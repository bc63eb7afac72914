import type { Zone } from '@kron/core'
import { identityOf, occurrencesOf, rereadSchedule, type TaskSchedule } from '../cron/task-schedule.ts'
import type { TaskList } from '../registration/parse.ts'
import { newTasksChange } from '../store/new-tasks.ts'
import type { Change } from '../store/store.ts'
import { clampToClock } from './clamp.ts'
import type { TaskRecord } from './record.ts'
import { TimeColumns } from './time-columns.ts'

export interface Orphan {
  readonly taskName: string
  readonly previousOwner: string
}

export interface Counts {
  readonly created: number
  readonly removed: number
  readonly changed: number
  readonly preserved: number
}

/** The result of merging the registered tasks with the persisted ones. */
export interface Reconciliation {
  /** One row per registration, in the same order. */
  readonly times: TimeColumns
  /** The change for the store, to be made in one commit. Undefined if the store has everything already. */
  readonly change: Change | undefined
  readonly counts: Counts
  readonly orphans: readonly Orphan[]
  /** The number of tasks whose last start was moved back to the clock's present time. */
  readonly clamped: number
}

/** Merges the list with the persisted tasks. `damaged` contains the names of tasks with unreadable records. */
export function reconcile(
  list: TaskList,
  persisted: ReadonlyMap<string, TaskRecord>,
  damaged: ReadonlySet<string>,
  zone: Zone,
  now: number,
): Reconciliation {
  if (persisted.size === 0 && damaged.size === 0) return allNew(list, now)
  const times = new TimeColumns(list.names.length)
  const put: TaskRecord[] = []
  const orphans: Orphan[] = []
  let created = 0
  let changed = 0
  let clamped = 0
  for (let row = 0; row < list.names.length; row++) {
    const name = list.names[row]!
    const cron = list.crons[list.cronOf[row]!]!
    const cronExpression = cron.expression
    const retryDelayMs = list.retryDelays[row]!
    const old = persisted.get(name)
    const clampedOld = old && clampToClock(old, now)
    if (clampedOld !== undefined) clamped++
    let record = clampedOld ?? old ?? { name, cronExpression, retryDelayMs, firstSeenAt: now }
    if (old === undefined) created++
    else if (old.cronExpression !== cronExpression || old.retryDelayMs !== retryDelayMs) {
      record = overridden(record, cron, retryDelayMs, list, zone)
      changed++
    }
    // The record keeps the old owner until the restart, in case this instance dies before.
    if (record.runningBy !== undefined) orphans.push({ taskName: name, previousOwner: record.runningBy })
    if (record !== old) put.push(record)
    times.write(row, record)
  }
  const remove = namesNotIn(list, persisted, damaged)
  const counts = {
    created,
    removed: remove.length,
    changed,
    preserved: list.names.length - created - changed,
  }
  const change = put.length > 0 || remove.length > 0 ? { put, remove } : undefined
  return { times, change, counts, orphans, clamped }
}

function allNew(list: TaskList, now: number): Reconciliation {
  const created = list.names.length
  return {
    times: TimeColumns.firstSeen(created, now),
    change: created > 0 ? newTasksChange({ list, firstSeenAt: now }) : undefined,
    counts: { created, removed: 0, changed: 0, preserved: 0 },
    orphans: [],
    clamped: 0,
  }
}

/** The record with a new configuration and the same history. */
function overridden(
  old: TaskRecord,
  schedule: TaskSchedule,
  retryDelayMs: number,
  { rules }: TaskList,
  zone: Zone,
): TaskRecord {
  const record = { ...old, cronExpression: schedule.expression, retryDelayMs }
  const holds = (each: TaskSchedule) =>
    occurrencesOf(each, zone, identityOf(rules, old.name)).holds(old.firstSeenAt)
  if (old.lastAttemptAt !== undefined || !holds(schedule)) return record
  const before = rereadSchedule(old.cronExpression, rules)
  if (before !== undefined && holds(before)) return record
  // The old schedule did not match the minute in which the task was first seen, so no later one owes it.
  return { ...record, firstMinuteWaived: true }
}

function namesNotIn(
  list: TaskList,
  persisted: ReadonlyMap<string, TaskRecord>,
  damaged: ReadonlySet<string>,
): string[] {
  const registered = new Set(list.names)
  return [...persisted.keys(), ...damaged].filter(name => !registered.has(name))
}
