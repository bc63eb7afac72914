import { triggerOf } from '@kron/core'
import type { JobRecord } from '../api/records.ts'
import { nextStart } from './next-start.ts'
import { pausedJobOf } from './paused-job.ts'
import { jobOf, periodsIn } from './periods.ts'

/** The starts of one job in the time ahead. */
export interface AgendaRow {
  readonly job: JobRecord
  /** Epoch seconds, soonest first. */
  readonly starts: readonly number[]
  /** The number of these starts that a planned pause prevents. */
  readonly lost: number
}

/** More starts of one job than this could not be told apart. */
const MOST_STARTS = 120

/** The jobs that start in [now, now + seconds], soonest first, at most `most` of them; `total` counts all. */
export function agendaOf(
  jobs: readonly JobRecord[],
  now: number,
  seconds: number,
  most: number,
): { readonly rows: readonly AgendaRow[]; readonly total: number } {
  const soon = jobs
    .map(job => ({ job, next: nextStart(job, now) }))
    .filter(
      (each): each is { job: JobRecord; next: number } =>
        each.next !== undefined && each.next <= now + seconds,
    )
    .sort((a, b) => a.next - b.next)
  const rows = soon.slice(0, most).map(({ job, next }) => rowOf(job, next, now, seconds))
  return { rows, total: soon.length }
}

function rowOf(job: JobRecord, next: number, now: number, seconds: number): AgendaRow {
  const parsed = jobOf(job.identity, job.schedule)
  const starts =
    parsed === undefined
      ? [next]
      : periodsIn(parsed, now, now + seconds, MOST_STARTS)
          .map(triggerOf)
          .filter(at => at >= next && at <= now + seconds)
          .sort((a, b) => a - b)
  const paused = pausedJobOf(job)
  const lost = paused === undefined ? 0 : starts.filter(at => paused.startOf(at) === undefined).length
  return { job, starts, lost }
}
