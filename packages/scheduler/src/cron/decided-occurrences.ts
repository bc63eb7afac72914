import { type Decision, decide, endOffset, type Job, prev, startOffset, upcoming } from '@kron/core'
import type { Occurrences } from './occurrences.ts'

const MINUTE = 60_000
/** Periods without a second that the constraints allow are passed over, for so long and at least so many of them. */
const FARTHEST_SECONDS = 400 * 86_400
const MOST_PERIODS = 1_000

/** The seconds that core's `decide` has chosen for a job. */
export class DecidedOccurrences implements Occurrences {
  readonly deadlineMs: number
  readonly #job: Job
  #from = Number.NaN
  #next = Number.NaN

  constructor(job: Job, deadlineMs: number) {
    this.#job = job
    this.deadlineMs = deadlineMs
  }

  after(at: number): number {
    if (at >= this.#from && at < this.#next) return this.#next
    this.#from = at
    this.#next = (this.decisionAfter(at)?.chosen ?? Number.POSITIVE_INFINITY) * 1000
    return this.#next
  }

  /** The decision behind the first occurrence after an instant. */
  decisionAfter(at: number): Decision | undefined {
    const from = Math.floor(at / 1000) + 1
    let periods = 0
    for (const decision of upcoming(this.#job, from)) {
      if (decision.chosen !== null) return decision
      if (++periods > MOST_PERIODS && decision.nominal - from > FARTHEST_SECONDS) return undefined
    }
    return undefined
  }

  last(at: number): number | undefined {
    const { cron, zone, window } = this.#job.schedule
    const now = Math.floor(at / 1000)
    let best: number | undefined
    let nominal = prev(cron, zone, now - startOffset(window))
    for (let periods = 0; nominal !== undefined && periods < MOST_PERIODS; periods++) {
      // No earlier period can have chosen a later second.
      if (best !== undefined && nominal + endOffset(window) <= best) break
      const { chosen } = decide(this.#job, nominal)
      if (chosen !== null && chosen <= now && (best === undefined || chosen > best)) best = chosen
      nominal = prev(cron, zone, nominal - 1)
    }
    return best === undefined ? undefined : best * 1000
  }

  holds(at: number): boolean {
    return this.after(at - MINUTE) <= at
  }
}
