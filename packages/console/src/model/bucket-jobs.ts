import type { JobRecord } from '../api/records.ts'
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
    const parsed = job.suspended ? undefined : jobOf(job.identity, job.schedule)
    if (parsed === undefined) continue
    const chosen = periodsIn(parsed, from, to, MOST).filter(
      each => each.chosen !== null && each.chosen >= from && each.chosen < to,
    ).length
    const nominal = nominalsIn(parsed.schedule, from, to - 1).length
    if (chosen > 0) spread.push({ job, count: chosen })
    if (nominal > 0) plain.push({ job, count: nominal })
  }
  return { spread, plain }
}
