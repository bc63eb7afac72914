import type { Occurrences } from '../cron/occurrences.ts'
import type { StartCause } from '../event.ts'

/** The facts that decide when an idle task starts. */
export interface TaskTimes {
  readonly firstSeenAt: number
  /** Whether the task does not owe the minute in which it was first seen. */
  readonly firstMinuteWaived: boolean
  readonly lastAttemptAt: number | undefined
  readonly pendingRetryUntil: number | undefined
  /** Whether a run was started whose end is not recorded. */
  readonly orphaned: boolean
  /** Whether a run was requested with `runNow`. */
  readonly requested: boolean
}

export type Verdict =
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'start'; readonly cause: StartCause }

const start = (cause: StartCause): Verdict => ({ kind: 'start', cause })
const ON_OCCURRENCE = start('occurrence')
const ON_PREEMPTION = start('preemption')
const ON_RETRY = start('retry')
const ON_REQUEST = start('request')
const AS_ORPHAN = start('orphan')

/** The first occurrence, past or future, that the task owes and may still serve. */
export function owedOccurrence(task: TaskTimes, occurrences: Occurrences, now: number): number {
  const last = task.lastAttemptAt
  const base = last ?? task.firstSeenAt
  const expired = now - occurrences.deadlineMs
  // A task first seen inside a matching minute owes that minute, unless an override waived it.
  const claims = last === undefined && !task.firstMinuteWaived
  if (claims && base >= expired && occurrences.holds(base)) return base
  return occurrences.after(Math.max(base, expired - 1))
}

/** The instant from which the task may start. */
export function dueAt(task: TaskTimes, occurrences: Occurrences, now: number): number {
  if (task.orphaned || task.requested) return Number.NEGATIVE_INFINITY
  return Math.min(owedOccurrence(task, occurrences, now), task.pendingRetryUntil ?? Number.POSITIVE_INFINITY)
}

/** Whether an idle task starts now. Any number of missed occurrences leads to one start. */
export function judge(task: TaskTimes, occurrences: Occurrences, now: number): Verdict {
  if (task.orphaned) return AS_ORPHAN
  const retryAt = task.pendingRetryUntil
  if (owedOccurrence(task, occurrences, now) <= now)
    return retryAt === undefined ? ON_OCCURRENCE : ON_PREEMPTION
  if (retryAt !== undefined && retryAt <= now) return ON_RETRY
  if (task.requested) return ON_REQUEST
  return { kind: 'wait', until: dueAt(task, occurrences, now) }
}
