import { prev } from '../cron/search.ts'
import { decide } from '../decision/decision.ts'
import type { Job } from '../schedule/schedule.ts'
import { endOffset, startOffset } from '../schedule/window.ts'
import type { Hash } from '../seed/sha256.ts'
import { lastStart } from '../turn/policy.ts'

/** A time during which a job is paused: from its first second to the second before `until`. Null: no end is known. */
export interface PausedTime {
  readonly from: number
  readonly until: number | null
}

/** The rule of `PausedJob.startOf`, in the sentence that krontab, console and documents show. */
export const AFTER_A_PAUSE =
  'When a pause ends, a job starts at most one late period: the latest one, if its deadline has not passed.'

/** A job with its pauses, present and planned: which of its periods start, and when. Times are epoch seconds. */
export class PausedJob {
  readonly #job: Job
  readonly #pauses: readonly PausedTime[]
  readonly #hash: Hash | undefined
  /** The last time chosen before the end of a pause, by that end. */
  readonly #lastChosen = new Map<number, number>()

  constructor(job: Job, pauses: readonly PausedTime[], hash?: Hash) {
    this.#job = job
    this.#pauses = pauses
    this.#hash = hash
  }

  /**
   * The second at which the period chosen at `chosen` starts: `chosen` itself outside of pauses; the end of the pause
   * if it is the last period before that end and its deadline allows so late a start; undefined if the pause costs it.
   */
  startOf(chosen: number): number | undefined {
    const end = this.resumedAt(chosen)
    if (end === chosen) return chosen
    if (end > lastStart(this.#job.schedule.policy, chosen)) return undefined
    return chosen === this.#lastBefore(end) ? end : undefined
  }

  /** The first second at or after `second` that is in no pause; infinite if no end is known. */
  resumedAt(second: number): number {
    let resumed = second
    for (;;) {
      const holding = this.#pauses.filter(each => each.from <= resumed && resumed < endOf(each))
      if (holding.length === 0) return resumed
      resumed = Math.max(...holding.map(endOf))
      if (resumed === Number.POSITIVE_INFINITY) return resumed
    }
  }

  #lastBefore(end: number): number {
    const known = this.#lastChosen.get(end)
    if (known !== undefined) return known
    const { cron, zone, window } = this.#job.schedule
    let best = Number.NEGATIVE_INFINITY
    let nominal = prev(cron, zone, end - startOffset(window))
    while (nominal !== undefined && nominal + endOffset(window) > best) {
      const { chosen } = decide(this.#job, nominal, this.#hash)
      if (chosen !== null && chosen < end) best = Math.max(best, chosen)
      nominal = prev(cron, zone, nominal - 1)
    }
    this.#lastChosen.set(end, best)
    return best
  }
}

const endOf = ({ until }: PausedTime): number => until ?? Number.POSITIVE_INFINITY
