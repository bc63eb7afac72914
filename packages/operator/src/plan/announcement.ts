import { type Decision, type Policy, parseInstant, printInstant, triggerOf } from '@kron/core'
import type { Intent, KronJob } from '../manifest/kronjob.ts'
import type { ObservedJob } from './job.ts'
import { jobNameOf, periodIdOf } from './names.ts'

/** Seconds before its time at which a start is announced, so that then only the Job is left to create. */
export const ANNOUNCED_AHEAD = 15

/** The announcement of a start; one that the status holds already stays as it is, unless its age would mislead. */
export function intentFor(kronJob: KronJob, decision: Decision, at: number): Intent {
  const known = kronJob.status?.intent
  const jobName = jobNameOf(kronJob.metadata.name, periodIdOf(decision))
  const isKnown = known?.jobName === jobName && !known.replacing
  // Where finished Jobs are collected, the age of the announcement tells whether this one may have been.
  const mustBeFresh = kronJob.spec.jobTemplate.spec.ttlSecondsAfterFinished !== undefined
  if (isKnown && (!mustBeFresh || atOf(known) >= at - ANNOUNCED_AHEAD)) return known
  return { periodID: periodIdOf(decision), jobName, at: printInstant(at) }
}

/** The announcement that older Jobs make room for a start. */
export function replacementFor(kronJob: KronJob, decision: Decision, now: number): Intent {
  const known = kronJob.status?.intent
  const jobName = jobNameOf(kronJob.metadata.name, periodIdOf(decision))
  if (known?.replacing && known.jobName === jobName) return known
  return { periodID: periodIdOf(decision), jobName, at: printInstant(now), replacing: true }
}

/** The second from which the announced Job may exist; long ago if it cannot be read. */
export function atOf({ at }: Intent): number {
  const read = parseInstant(at)
  return read.ok ? read.value : Number.NEGATIVE_INFINITY
}

/** Whether nobody can have acted on the announcement yet. */
export const isAhead = (intent: Intent, now: number): boolean => atOf(intent) > now

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
