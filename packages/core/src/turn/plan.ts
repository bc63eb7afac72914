import { type Decision, decide, triggerOf } from '../decision/decision.ts'
import type { Job } from '../schedule/schedule.ts'
import { startOffset } from '../schedule/window.ts'
import type { Hash } from '../seed/sha256.ts'
import { closedThrough, type Handled, lastUnhandled, nextUnhandled } from './handled.ts'
import { lastStart } from './policy.ts'

/**
 * The unhandled periods that matter now: every one that is open, and at least the next to come. Ordered by
 * the time at which they ask for attention, so the first is what the job waits for.
 */
export function plan(job: Job, handled: Handled, now: number, hash?: Hash): Decision[] {
  const { schedule } = job
  const lead = startOffset(schedule.window)
  const decisions: Decision[] = []
  let first = Number.POSITIVE_INFINITY
  let nominal = nextUnhandled(handled, schedule, closedThrough(schedule, now))
  // Once a future trigger is known, a period whose window opens after it cannot come first.
  while (nominal !== undefined && nominal + lead <= Math.max(now, first)) {
    const decision = decide(job, nominal, hash)
    const trigger = triggerOf(decision)
    if (trigger >= handled.firstSeen) {
      decisions.push(decision)
      if (trigger > now) first = Math.min(first, trigger)
    }
    nominal = nextUnhandled(handled, schedule, nominal)
  }
  return decisions.sort((a, b) => triggerOf(a) - triggerOf(b))
}

export interface Missed {
  readonly decision: Decision
  readonly reason: 'deadline' | 'superseded'
}

/** Decides about the periods that passed while the adapter could not act. */
export interface CatchUp {
  /** Missed without a start: past their deadline, or superseded by a later one that will start. */
  readonly missed: readonly Missed[]
  /** Everything else of the plan, still to be judged in the ordinary way; at most one of it is already late. */
  readonly rest: readonly Decision[]
}

/**
 * No backlog: of the late periods that may still start, only the last chosen one does. Of those that closed long ago
 * only the latest is named, so the work is bounded however long nobody looked.
 */
export function catchUp(job: Job, handled: Handled, now: number, hash?: Hash): CatchUp {
  const planned = plan(job, handled, now, hash)
  const late = planned.filter(({ chosen }) => chosen !== null && chosen < now)
  const expired = (d: Decision): boolean => now > lastStart(job.schedule.policy, d.chosen!)
  const current = late.filter(d => !expired(d)).at(-1)
  const missed: Missed[] = late
    .filter(d => d !== current)
    .map(decision => ({ decision, reason: expired(decision) ? 'deadline' : 'superseded' }))
  const gone = new Set(missed.map(each => each.decision))
  const rest = planned.filter(d => !gone.has(d))
  const closed = lastClosed(job, handled, now, hash)
  if (closed === undefined) return { missed, rest }
  // An unschedulable one was not missed: judging it says what it is.
  if (closed.chosen === null) return { missed, rest: [closed, ...rest] }
  return { missed: [{ decision: closed, reason: 'deadline' }, ...missed], rest }
}

/** The latest unhandled period whose window and deadline are over. `plan` does not contain it. */
export function lastClosed(job: Job, handled: Handled, now: number, hash?: Hash): Decision | undefined {
  const closed = closedThrough(job.schedule, now)
  if (closed <= handled.through) return undefined
  // Where windows overlap a later period may have been handled before an earlier one.
  const nominal = lastUnhandled(handled, job.schedule, closed)
  if (nominal === undefined) return undefined
  const decision = decide(job, nominal, hash)
  return triggerOf(decision) >= handled.firstSeen ? decision : undefined
}
