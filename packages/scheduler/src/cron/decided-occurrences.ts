import { type Decision, decide, endOffset, type Job, prev, startOffset, upcoming } from '@kron/core'
import type { Occurrences } from './occurrences.ts'

const MINUTE = 60_000
/** The search skips periods without an allowed second. It ends after this span, but not before this many periods. */
const FARTHEST_SECONDS = 400 * 86_400
const MOST_PERIODS = 1_000

/** The occurrences of a job, at the seconds that core's `decide` chooses. */
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
      // The windows of this and all earlier periods end no later than the best second so far.
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
