import { type Decision, lastStart, type Policy, parseInstant } from '@kron/core'
import type { Intent, KronJob } from '../manifest/kronjob.ts'
import { isAhead } from './announcement.ts'
import type { ObservedJob } from './job.ts'
import { labelTime } from './names.ts'
import type { Observed } from './plan.ts'

/** The result of settling a start that was announced in the status. */
export type Settled =
  /** The Job exists. */
  | { readonly kind: 'executed'; readonly job: ObservedJob }
  /** The Job may have existed, finished and been deleted by TTL. It must not run again. */
  | { readonly kind: 'unknown' }
  /** There is no Job. The period is judged like any other. */
  | { readonly kind: 'open' }
  /** The older Jobs are ending, and the period starts after them. */
  | { readonly kind: 'replacing' }
  /** The KronJob is suspended, so nothing is decided. */
  | { readonly kind: 'hold' }

/**
 * Settles an announced start. `observed.jobs` must be fresh: a Job that is missing there does not exist, no matter
 * which replica announced it.
 */
export function settle(observed: Observed, intent: Intent, decision: Decision, policy: Policy): Settled {
  const { kronJob, jobs, certainlyAbsent, created, now } = observed
  const period = labelTime(decision.nominal)
  const job = [...jobs, ...(created ? [created] : [])].find(
    each => each.name === intent.jobName && each.period === period,
  )
  if (job !== undefined) return { kind: 'executed', job }
  if (intent.replacing)
    return isReplacing(observed, decision, policy) ? { kind: 'replacing' } : { kind: 'open' }
  if (certainlyAbsent || isAhead(kronJob, now)) return { kind: 'open' }
  if (policy.suspend) return { kind: 'hold' }
  return mayBeCollected(kronJob, intent, now) ? { kind: 'unknown' } : { kind: 'open' }
}

/** The deadline counts only until the old Jobs are being deleted. */
function isReplacing({ jobs, now }: Observed, { chosen }: Decision, policy: Policy): boolean {
  if (policy.suspend || chosen === null) return false
  const hasBegun = !jobs.some(each => each.finished === undefined && !each.deleting)
  return hasBegun || now <= lastStart(policy, chosen)
}

/**
 * Whether the announced Job could already have been created, finished and deleted by the template's TTL. An
 * announcement from the future was written by a replica with another clock, so its age is unknown.
 */
export function mayBeCollected(kronJob: KronJob, intent: Intent, now: number): boolean {
  const ttl = kronJob.spec.jobTemplate.spec.ttlSecondsAfterFinished
  if (ttl === undefined) return false
  const at = parseInstant(intent.at)
  return !at.ok || at.value > now || now - at.value >= ttl
}
