import { type Decision, decide, triggerOf } from '../decision/decision.ts'
import type { Job } from '../schedule/schedule.ts'
import { startOffset } from '../schedule/window.ts'
import type { Hash } from '../seed/sha256.ts'
import { closedThrough, type Handled, lastUnhandled, nextUnhandled } from './handled.ts'

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
  // Once a future due time is known, a period whose window opens after it cannot come first.
  while (nominal !== undefined && nominal + lead <= Math.max(now, first)) {
    const decision = decide(job, nominal, hash)
    const dueTime = triggerOf(decision)
    if (dueTime >= handled.firstSeen) {
      decisions.push(decision)
      if (dueTime > now) first = Math.min(first, dueTime)
    }
    nominal = nextUnhandled(handled, schedule, nominal)
  }
  return decisions.sort((a, b) => triggerOf(a) - triggerOf(b))
}

/** The latest unhandled period that is owed and whose window and deadline are over. `plan` does not contain it. */
export function lastClosed(job: Job, handled: Handled, now: number, hash?: Hash): Decision | undefined {
  const { schedule } = job
  let nominal = lastUnhandled(handled, schedule, closedThrough(schedule, now))
  while (nominal !== undefined) {
    const decision = decide(job, nominal, hash)
    // If windows overlap, the later period may be due before `firstSeen` and the earlier one after it.
    if (triggerOf(decision) >= handled.firstSeen) return decision
    nominal = lastUnhandled(handled, schedule, nominal - 1)
  }
  return undefined
}
