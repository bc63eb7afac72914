import { triggerOf, upcoming } from '@kron/core'
import type { JobRecord } from '../api/records.ts'
import { secondsOf } from './instant.ts'
import { jobOf } from './periods.ts'

const known = new Map<string, number | undefined>()
const KEPT = 5_000

/** The next start of a job: krond's answer until that time has passed, then the result of the engine here. */
export function nextStart(job: JobRecord, now: number): number | undefined {
  if (job.suspended) return undefined
  const told = secondsOf(job.nextTime)
  if (told !== undefined && told >= now) return told
  const before = known.get(job.identity)
  if (before !== undefined && before >= now) return before
  if (known.size > KEPT) known.clear()
  const parsed = jobOf(job.identity, job.schedule)
  const next = parsed === undefined ? undefined : upcoming(parsed, now).next().value
  const at = next === undefined ? undefined : triggerOf(next)
  known.set(job.identity, at)
  return at
}
