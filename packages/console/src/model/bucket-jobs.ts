import { SECOND } from '@kron/core'
import type { JobRecord } from '../api/records.ts'
import { pausedJobOf } from './paused-job.ts'
import { jobOf, nominalsIn, periodsIn } from './periods.ts'

export interface BucketJobs {
  /** With windows: the jobs whose chosen time falls into the bucket, with how many starts. */
  readonly spread: readonly Starts[]
  /** Without windows: those whose nominal time does. */
  readonly plain: readonly Starts[]
}

export interface Starts {
  readonly job: JobRecord
  readonly count: number
}

/** More starts of one job in one bucket are not counted. */
const MOST = 1_000

/** The jobs that start in [from, to), computed here by krond's own engine. */
export function jobsInBucket(jobs: readonly JobRecord[], from: number, to: number): BucketJobs {
  const spread: Starts[] = []
  const plain: Starts[] = []
  for (const job of jobs) {
    const parsed = jobOf(job.identity, job.schedule)
    if (parsed === undefined || parsed.schedule.policy.suspend) continue
    const paused = pausedJobOf(job)
    // A pause may put off a start until its end.
    const first = paused === undefined ? from : from - Math.floor(parsed.schedule.policy.deadline / SECOND)
    const starts = periodsIn(parsed, first, to, MOST).flatMap(({ chosen }) => {
      const start = chosen === null ? undefined : paused === undefined ? chosen : paused.startOf(chosen)
      return start !== undefined && start >= from && start < to ? [start] : []
    }).length
    const nominal = nominalsIn(parsed.schedule, from, to - 1).filter(
      each => paused === undefined || paused.resumedAt(each) === each,
    ).length
    if (starts > 0) spread.push({ job, count: starts })
    if (nominal > 0) plain.push({ job, count: nominal })
  }
  return { spread, plain }
}
