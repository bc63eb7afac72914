import { prev } from './cron/search.ts'
import { type Decision, decide, triggerOf } from './decision.ts'
import type { Handled } from './handled.ts'
import type { Job } from './schedule/schedule.ts'

/** Periods that could no longer start when somebody looked, without the latest of them, which has an outcome of its own. */
export interface UnseenPeriods {
  /** The nominal times of those that were missed, ascending. */
  readonly missed: readonly number[]
  /** Whether there were even more: looking back stops, so that a year of downtime is one step. */
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
  const { cron, zone } = job.schedule
  const done = new Set(handled.above)
  const missed: number[] = []
  const passed: number[] = []
  let nominal = prev(cron, zone, last.nominal - 1)
  for (let looked = 0; nominal !== undefined && nominal > handled.through; looked++) {
    if (looked === MOST_UNSEEN) return { missed: missed.reverse(), passed, more: true }
    if (!done.has(nominal) && !isOpen(nominal)) {
      const decision = decide(job, nominal)
      if (triggerOf(decision) < handled.firstSeen) break
      passed.push(nominal)
      if (decision.chosen !== null) missed.push(nominal)
    }
    nominal = prev(cron, zone, nominal - 1)
  }
  return { missed: missed.reverse(), passed, more: false }
}
