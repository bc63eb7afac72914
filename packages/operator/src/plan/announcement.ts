import { type Decision, type Policy, parseInstant, printInstant, triggerOf } from '@kron/core'
import type { Intent, KronJob } from '../manifest/kronjob.ts'
import type { ObservedJob } from './job.ts'
import { jobNameOf, periodIdOf } from './names.ts'

/** Seconds before its time at which a start is announced, so that then only the Job is left to create. */
export const ANNOUNCED_AHEAD = 15

/** The announcement of a start; one that the status holds already stays as it is. */
export function intentFor(kronJob: KronJob, decision: Decision, at: number): Intent {
  const known = kronJob.status?.intent
  const jobName = jobNameOf(kronJob.metadata.name, periodIdOf(decision))
  if (known?.jobName === jobName && !known.replacing) return known
  return { periodID: periodIdOf(decision), jobName, at: printInstant(at) }
}

/** Whether nobody can have acted on the announcement yet. */
export function isAhead({ at }: Intent, now: number): boolean {
  const read = parseInstant(at)
  return read.ok && read.value > now
}

/** The announcement of the next start, if it is near and nothing speaks against it now. */
export function announcementOf(
  kronJob: KronJob,
  next: Decision | undefined,
  policy: Policy,
  jobs: readonly ObservedJob[],
  now: number,
): Intent | undefined {
  if (next === undefined || next.chosen === null || triggerOf(next) - now > ANNOUNCED_AHEAD) return undefined
  const mayStart = policy.concurrency === 'allow' || jobs.every(each => each.finished !== undefined)
  return mayStart ? intentFor(kronJob, next, triggerOf(next)) : undefined
}
