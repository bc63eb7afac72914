import { allows, type Decision, endOffset, minutesPerDay, type Schedule, startOffset } from '@kron/core'
import type { JobRecord } from '../api/records.ts'
import { densityOf } from '../model/density.ts'
import { jobOf, nominalsIn, periodsIn } from '../model/periods.ts'
import { type CalendarTime, calendarTimes, filesVersion, variesByWindow } from '../model/schedule-files.ts'

/** The part of a job's plan that a row shows. */
export interface RowPlan {
  /** Empty if there are too many to tell apart; in that case `nominals` holds their times. */
  readonly periods: readonly Decision[]
  readonly nominals: readonly number[]
  /** Undefined if it differs from window to window. */
  readonly density: readonly number[] | undefined
  /** The times of its calendars. */
  readonly calendars: readonly CalendarTime[]
  readonly schedule: Schedule
  /** Whether some parts of windows may be refused by a constraint. */
  readonly constrained: boolean
}

const STEPS = 96
const DAY = 86_400
/** More periods than this in a row could not be told apart. */
const MOST_PERIODS = 1_500
const KEPT = 2_000

/** Row plans for the part of time on show; each is computed once, by the same engine as in krond. */
export class RowCache {
  #from = 0
  #to = 0
  readonly #plans = new Map<string, RowPlan | undefined>()

  /** Plans reach a little beyond what is on show, so that the moving now-line does not invalidate them each second. */
  show(from: number, to: number): void {
    if (from >= this.#from && to <= this.#to && this.#to - this.#from <= 2 * (to - from)) return
    const margin = Math.ceil((to - from) * 0.1)
    this.#from = from - margin
    this.#to = to + margin
    this.#plans.clear()
  }

  has(job: JobRecord): boolean {
    return this.#plans.has(keyOf(job))
  }

  /** The plan, computed now if it was not yet; undefined if this console's engine cannot read the schedule. */
  get(job: JobRecord): RowPlan | undefined {
    if (!this.has(job)) this.#make(job)
    return this.#plans.get(keyOf(job))
  }

  #make(job: JobRecord): void {
    if (this.#plans.size > KEPT) this.#plans.clear()
    const parsed = jobOf(job.identity, job.schedule)
    if (parsed === undefined) return void this.#plans.set(keyOf(job), undefined)
    const { schedule } = parsed
    const { only, avoid } = schedule.constraints
    const seconds = this.#to - this.#from + endOffset(schedule.window) - startOffset(schedule.window)
    const expected = (minutesPerDay(schedule.cron) * seconds) / DAY
    const crowded = expected > MOST_PERIODS
    this.#plans.set(keyOf(job), {
      schedule,
      periods:
        crowded || schedule.policy.suspend ? [] : periodsIn(parsed, this.#from, this.#to, MOST_PERIODS),
      nominals: crowded && !schedule.policy.suspend ? nominalsIn(schedule, this.#from, this.#to) : [],
      density: variesByWindow(schedule) ? undefined : densityOf(schedule, STEPS),
      calendars: calendarTimes(parsed, this.#from, this.#to),
      constrained: only !== undefined || avoid !== undefined,
    })
  }
}

const keyOf = (job: JobRecord): string => `${filesVersion()}\n${job.identity}\n${job.schedule}`

/** How likely each part of the window of a period is. */
export const densityIn = ({ density, schedule }: RowPlan, { nominal }: Decision): readonly number[] =>
  density ?? densityOf(schedule, STEPS, nominal)

/** Whether the constraints leave this second open. */
export const isOpen = ({ constraints, zone }: Schedule, at: number): boolean => allows(constraints, zone, at)
