import { allows, type Decision, type Schedule } from '@kron/core'
import type { JobRecord } from '../api/records.ts'
import { densityOf } from '../model/density.ts'
import { jobOf, periodsIn } from '../model/periods.ts'

/** What a row shows of a job's plan. */
export interface RowPlan {
  readonly periods: readonly Decision[]
  readonly density: readonly number[]
  readonly schedule: Schedule
  /** Whether some parts of windows may be refused by a constraint. */
  readonly constrained: boolean
}

const STEPS = 96
const MOST_PERIODS = 3_000
const KEPT = 2_000

/** Row plans for the part of time on show; each is computed once, by the same engine as in krond. */
export class RowCache {
  private from = 0
  private to = 0
  private readonly plans = new Map<string, RowPlan | undefined>()

  /** Plans reach a little beyond what is on show, so that the moving now-line does not invalidate them each second. */
  show(from: number, to: number): void {
    if (from >= this.from && to <= this.to && this.to - this.from <= 2 * (to - from)) return
    const margin = Math.ceil((to - from) * 0.1)
    this.from = from - margin
    this.to = to + margin
    this.plans.clear()
  }

  has(job: JobRecord): boolean {
    return this.plans.has(keyOf(job))
  }

  get(job: JobRecord): RowPlan | undefined {
    return this.plans.get(keyOf(job))
  }

  make(job: JobRecord): void {
    if (this.plans.size > KEPT) this.plans.clear()
    const parsed = jobOf(job.identity, job.schedule)
    if (parsed === undefined) return void this.plans.set(keyOf(job), undefined)
    const { schedule } = parsed
    const { only, avoid } = schedule.constraints
    this.plans.set(keyOf(job), {
      schedule,
      periods: job.suspended ? [] : periodsIn(parsed, this.from, this.to, MOST_PERIODS),
      density: densityOf(schedule, STEPS),
      constrained: only !== undefined || avoid !== undefined,
    })
  }
}

const keyOf = (job: JobRecord): string => `${job.identity}\n${job.schedule}`

/** Whether the constraints leave this second open. */
export const isOpen = ({ constraints, zone }: Schedule, at: number): boolean => allows(constraints, zone, at)
