import type { Occurrences } from '../cron/occurrences.ts'
import type { StartCause } from '../event.ts'

/** What decides when a task that is not running starts. */
export interface TaskTimes {
  readonly firstSeenAt: number
  readonly lastAttemptAt: number | undefined
  readonly pendingRetryUntil: number | undefined
  /** Another instance started a run that never ended. */
  readonly orphaned: boolean
}

export type Verdict =
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'start'; readonly cause: StartCause }

/** The first occurrence that the task owes, whether it has come or not. */
export function owedOccurrence(task: TaskTimes, occurrences: Occurrences): number {
  if (task.lastAttemptAt !== undefined) return occurrences.after(task.lastAttemptAt)
  // A task first seen inside a matching minute owes that minute.
  return occurrences.holds(task.firstSeenAt) ? task.firstSeenAt : occurrences.after(task.firstSeenAt)
}

/** The instant from which the task may start. */
export function dueAt(task: TaskTimes, occurrences: Occurrences): number {
  if (task.orphaned) return Number.NEGATIVE_INFINITY
  return Math.min(owedOccurrence(task, occurrences), task.pendingRetryUntil ?? Number.POSITIVE_INFINITY)
}

/** Whether a task that is not running starts now. However many occurrences were missed, it is one start. */
export function judge(task: TaskTimes, occurrences: Occurrences, now: number): Verdict {
  if (task.orphaned) return { kind: 'start', cause: 'orphan' }
  const retryAt = task.pendingRetryUntil
  if (owedOccurrence(task, occurrences) <= now) {
    return { kind: 'start', cause: retryAt === undefined ? 'occurrence' : 'preemption' }
  }
  if (retryAt !== undefined && retryAt <= now) return { kind: 'start', cause: 'retry' }
  return { kind: 'wait', until: dueAt(task, occurrences) }
}
