import { type Decision, type Policy, parseInstant, printInstant, triggerOf } from '@kron/core'
import type { Intent, KronJob } from '../manifest/kronjob.ts'
import type { ObservedJob } from './job.ts'
import { jobNameOf, periodIdOf } from './names.ts'

/** A start is announced this many seconds ahead, so that at its time only the Job has to be created. */
export const ANNOUNCED_AHEAD = 15

/** The announcement of a start. Keeps the one in the status, unless its age would be misleading. */
export function intentFor(kronJob: KronJob, decision: Decision, at: number): Intent {
  const known = kronJob.status?.intent
  const jobName = jobNameOf(kronJob.metadata.name, periodIdOf(decision))
  const isKnown = known?.jobName === jobName && !known.replacing
  // If finished Jobs are deleted by TTL, the age of the announcement tells whether this Job may be deleted already.
  const mustBeFresh = kronJob.spec.jobTemplate.spec.ttlSecondsAfterFinished !== undefined
  if (isKnown && (!mustBeFresh || atOf(known) >= at - ANNOUNCED_AHEAD)) return known
  return { periodID: periodIdOf(decision), jobName, at: printInstant(at) }
}

/** The announcement that older Jobs are being replaced by a start. */
export function replacementFor(kronJob: KronJob, decision: Decision, now: number): Intent {
  const known = kronJob.status?.intent
  const jobName = jobNameOf(kronJob.metadata.name, periodIdOf(decision))
  if (known?.replacing && known.jobName === jobName) return known
  return { periodID: periodIdOf(decision), jobName, at: printInstant(now), replacing: true }
}

/** The second from which the announced Job may exist. Minus infinity if it cannot be parsed. */
export function atOf({ at }: Intent): number {
  const read = parseInstant(at)
  return read.ok ? read.value : Number.NEGATIVE_INFINITY
}

/** Whether it is too early for any replica to have acted on the announcement. */
export const isAhead = (intent: Intent, now: number): boolean => atOf(intent) > now

/** The announcement of the next start, if the start is near and nothing prevents it now. */
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
