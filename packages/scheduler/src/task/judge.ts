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

const start = (cause: StartCause): Verdict => ({ kind: 'start', cause })
const ON_OCCURRENCE = start('occurrence')
const ON_PREEMPTION = start('preemption')
const ON_RETRY = start('retry')
const AS_ORPHAN = start('orphan')

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
  if (task.orphaned) return AS_ORPHAN
  const retryAt = task.pendingRetryUntil
  if (owedOccurrence(task, occurrences) <= now) return retryAt === undefined ? ON_OCCURRENCE : ON_PREEMPTION
  if (retryAt !== undefined && retryAt <= now) return ON_RETRY
  return { kind: 'wait', until: dueAt(task, occurrences) }
}
