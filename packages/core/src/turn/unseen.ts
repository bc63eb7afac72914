import { type Decision, decide, triggerOf } from '../decision/decision.ts'
import type { Job } from '../schedule/schedule.ts'
import { type Handled, lastUnhandled } from './handled.ts'

/** Expired periods found after downtime, without the newest, which has an outcome of its own. */
export interface UnseenPeriods {
  /** The nominal times of those that were missed, ascending. A period without an allowed second was not missed. */
  readonly missed: readonly number[]
  /** Whether there may be more: looking back stops after `MOST_UNSEEN` periods, so that a year of downtime is one step. */
  readonly more: boolean
}

export interface PassedPeriods extends UnseenPeriods {
  /** The nominal times of all that passed, also of those without an allowed second. */
  readonly passed: readonly number[]
}

export const MOST_UNSEEN = 1_000

/** Looks back from `last` for unhandled periods that the job was responsible for; `isOpen` tells which have an attempt. */
export function closedUnseen(
  job: Job,
  handled: Handled,
  last: Decision,
  isOpen: (nominal: number) => boolean,
): PassedPeriods {
  const { schedule } = job
  const missed: number[] = []
  const passed: number[] = []
  let nominal = lastUnhandled(handled, schedule, last.nominal - 1)
  for (let looked = 0; nominal !== undefined; looked++) {
    if (looked === MOST_UNSEEN) return { missed: missed.reverse(), passed, more: true }
    if (!isOpen(nominal)) {
      const decision = decide(job, nominal)
      // If windows overlap, the second of an earlier period may come after the first sight, and that of a later one before.
      const isOwed = triggerOf(decision) >= handled.firstSeen
      if (isOwed) passed.push(nominal)
      if (isOwed && decision.chosen !== null) missed.push(nominal)
    }
    nominal = lastUnhandled(handled, schedule, nominal - 1)
  }
  return { missed: missed.reverse(), passed, more: false }
}
