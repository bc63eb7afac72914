import { PausedJob } from '@kron/core'
import type { JobRecord } from '../api/records.ts'
import { secondsOf } from './instant.ts'
import { jobOf } from './periods.ts'

const known = new WeakMap<JobRecord, PausedJob>()

/** Tells which periods of a job start, and when; undefined if it has no pauses, or its schedule cannot be read here. */
export function pausedJobOf(job: JobRecord): PausedJob | undefined {
  if (job.pauses.length === 0) return undefined
  const before = known.get(job)
  if (before !== undefined) return before
  const parsed = jobOf(job.identity, job.schedule)
  if (parsed === undefined) return undefined
  const pauses = job.pauses.map(each => ({
    from: secondsOf(each.from) ?? 0,
    until: secondsOf(each.until) ?? null,
  }))
  const paused = new PausedJob(parsed, pauses)
  known.set(job, paused)
  return paused
}

/** The effect of the job's pauses on a start, for a person; undefined if it starts at its chosen time. */
export function pauseEffect(job: JobRecord, chosen: number): string | undefined {
  const paused = pausedJobOf(job)
  const start = paused === undefined ? chosen : paused.startOf(chosen)
  if (start === chosen) return undefined
  return start === undefined ? 'will not run: paused' : 'will start late: paused'
}
