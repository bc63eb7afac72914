import { explain, explanationRecordOf, upcoming } from '@kron/core'
import type { TaskExplanation, TaskState } from '../control.ts'
import { isoTime } from '../iso-time.ts'
import { dueAt, judge } from './judge.ts'
import type { TaskTable } from './task-table.ts'

/** A snapshot of a task. `waiting`: the task is neither running nor about to start. */
export function describeTask(table: TaskTable, slot: number, waiting: boolean, now: number): TaskState {
  const {
    name,
    cronExpression,
    firstSeenAt,
    lastAttemptAt,
    lastSuccessAt,
    lastFailureAt,
    pendingRetryUntil,
  } = table.record(slot)
  const due = Math.max(dueAt(table.times(slot), table.occurrences(slot), now), now)
  return {
    name,
    schedule: cronExpression,
    state: waiting ? (pendingRetryUntil === undefined ? 'AwaitingRun' : 'AwaitingRetry') : 'Running',
    firstSeenAt,
    ...(lastAttemptAt !== undefined && { lastAttemptAt }),
    ...(lastSuccessAt !== undefined && { lastSuccessAt }),
    ...(lastFailureAt !== undefined && { lastFailureAt }),
    ...(waiting && Number.isFinite(due) && { nextDueAt: due }),
    ...(!waiting && lastAttemptAt !== undefined && { runningSince: lastAttemptAt }),
  }
}

/** The next start of a task, with the reason for its time. */
export function explainTask(table: TaskTable, slot: number, waiting: boolean, now: number): TaskExplanation {
  const task = describeTask(table, slot, waiting, now)
  const { schedule } = table.schedule(slot)
  const timeZone = (schedule?.zone ?? table.zone).name
  const next = table.occurrences(slot).after(now)
  const nextOccurrenceAt = Number.isFinite(next) ? next : undefined
  const decision = nextOccurrenceAt === undefined ? undefined : decisionAt(table, slot, next)
  return {
    ...task,
    text: textOf(task, reasonOf(table, slot, now), timeZone, nextOccurrenceAt),
    timeZone,
    ...(nextOccurrenceAt !== undefined && { nextOccurrenceAt }),
    ...(decision !== undefined && { decision }),
  }
}

function reasonOf(table: TaskTable, slot: number, now: number): string {
  const verdict = judge(table.times(slot), table.occurrences(slot), now)
  if (verdict.kind === 'start') return verdict.cause
  return table.pendingRetryUntil(slot) === verdict.until ? 'retry' : 'occurrence'
}

function textOf(task: TaskState, reason: string, timeZone: string, next: number | undefined): string {
  const about = `"${task.name}" (${task.schedule}, ${timeZone})`
  if (task.runningSince !== undefined) {
    const then = next === undefined ? '' : `; its next occurrence is ${isoTime(next)}`
    return `${about} has been running since ${isoTime(task.runningSince)}${then}`
  }
  if (task.nextDueAt === undefined) return `${about} has no further occurrence`
  return `${about} starts at ${isoTime(task.nextDueAt)}: ${REASONS[reason]}`
}

const REASONS: Readonly<Record<string, string>> = {
  occurrence: 'that is its next occurrence',
  preemption: 'an occurrence came while a retry was pending',
  retry: 'its last run failed, and that is when it is retried',
  orphan: 'the end of its last run is not recorded',
  request: 'runNow was called',
}

function decisionAt(table: TaskTable, slot: number, at: number): object | undefined {
  const { schedule } = table.schedule(slot)
  if (schedule === undefined) return undefined
  const job = { identity: table.identity(slot), schedule }
  for (const { nominal, chosen } of upcoming(job, at / 1000)) {
    if (chosen === at / 1000) return explanationRecordOf(explain(job, nominal))
    if (chosen !== null) return undefined
  }
  return undefined
}
