import { type Decision, type Policy, parseInstant, printInstant, triggerOf } from '@kron/core'
import type { Intent, KronJob } from '../manifest/kronjob.ts'
import type { ObservedJob } from './job.ts'
import { jobNameOf, periodIdOf } from './names.ts'
import type { Observed } from './plan.ts'

/**
 * Whether finished Jobs are deleted by TTL. The age of the announcement then tells whether its Job may be deleted
 * already. So it is written immediately before the Job is created, and removed when the Job is certainly refused.
 */
export const mustBeFresh = ({ spec }: KronJob): boolean =>
  spec.jobTemplate.spec.ttlSecondsAfterFinished !== undefined

/** The announcement of a start that happens now. Keeps the one in the status, unless its age would be misleading. */
export function intentFor({ kronJob, certainlyAbsent, now }: Observed, decision: Decision): Intent {
  const known = knownFor(kronJob, decision)
  const isMisleading = certainlyAbsent && mustBeFresh(kronJob)
  return known && atOf(known) <= now && !isMisleading ? known : intentAt(kronJob, decision, now)
}

function knownFor({ metadata, status }: KronJob, decision: Decision): Intent | undefined {
  const known = status?.intent
  const jobName = jobNameOf(metadata.name, periodIdOf(decision))
  return known?.jobName === jobName && !known.replacing ? known : undefined
}

function intentAt({ metadata }: KronJob, decision: Decision, at: number): Intent {
  const periodID = periodIdOf(decision)
  return { periodID, jobName: jobNameOf(metadata.name, periodID), at: printInstant(at) }
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

/**
 * Whether it is too early for any replica to have acted on the announcement. Without a TTL: if its time is in the future.
 * With a TTL nothing is announced early. So a time in the future means that the clock of another replica is ahead, and
 * that replica may have acted. One exception: an announcement that names `nextPeriodID` was written before the TTL was
 * set, and nobody has acted on it.
 */
export function isAhead(kronJob: KronJob, now: number): boolean {
  const { intent, nextPeriodID } = kronJob.status ?? {}
  if (intent === undefined || atOf(intent) <= now) return false
  return !mustBeFresh(kronJob) || intent.periodID === nextPeriodID
}

/**
 * The announcement of the next start, if nothing prevents the start now. It is part of the last write about the period
 * before, so that at its time only the Job has to be created.
 */
export function announcementOf(
  kronJob: KronJob,
  next: Decision | undefined,
  policy: Policy,
  jobs: readonly ObservedJob[],
): Intent | undefined {
  if (next === undefined || next.chosen === null || mustBeFresh(kronJob)) return undefined
  const at = triggerOf(next)
  const mayStart = policy.concurrency === 'allow' || jobs.every(each => each.finished !== undefined)
  if (!mayStart) return undefined
  const known = knownFor(kronJob, next)
  return known && atOf(known) === at ? known : intentAt(kronJob, next, at)
}
