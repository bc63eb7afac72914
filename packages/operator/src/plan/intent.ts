import { type Decision, lastStart, type Policy, parseInstant, SECOND, triggerOf } from '@kron/core'
import type { Intent, KronJob } from '../manifest/kronjob.ts'
import { isAhead } from './announcement.ts'
import type { ObservedJob } from './job.ts'
import { labelTime } from './names.ts'
import type { Observed } from './plan.ts'

/** What has become of a start that was announced in the status. */
export type Settled =
  /** The Job exists. */
  | { readonly kind: 'executed'; readonly job: ObservedJob }
  /** It may have existed, finished and been collected: it must not run again. */
  | { readonly kind: 'unknown' }
  /** It never existed, and the period is open again. */
  | { readonly kind: 'withdrawn' }
  /** It may be created now. */
  | { readonly kind: 'create' }
  /** The old Jobs are gone: announce the start anew, then create it. */
  | { readonly kind: 'announce' }
  | { readonly kind: 'terminate'; readonly jobs: readonly ObservedJob[] }
  | { readonly kind: 'hold' }

export interface IntentSituation {
  readonly observed: Observed
  readonly intent: Intent
  readonly decision: Decision
  /** Whether the schedule, as it is now, has the period. */
  readonly isPeriod: boolean
  readonly policy: Policy
}

export function settle({ observed, intent, decision, isPeriod, policy }: IntentSituation): Settled {
  const { kronJob, jobs, failure, untried, now } = observed
  const period = labelTime(decision.nominal)
  const job = jobs.find(each => each.name === intent.jobName && each.period === period)
  if (job !== undefined) return { kind: 'executed', job }
  if (failure !== undefined) return { kind: 'withdrawn' }
  if (intent.replacing) {
    if (policy.suspend) return { kind: 'withdrawn' }
    const active = jobs.filter(each => each.finished === undefined || each.deleting)
    if (active.length === 0) return { kind: 'announce' }
    const standing = active.filter(each => !each.deleting)
    if (standing.length === 0) return { kind: 'hold' }
    // Once the old Jobs are dying the deadline no longer counts; before that it does.
    const open = decision.chosen !== null && now <= lastStart(policy, decision.chosen)
    return open ? { kind: 'terminate', jobs: standing } : { kind: 'withdrawn' }
  }
  if (untried || isAhead(intent, now)) return { kind: 'withdrawn' }
  if (policy.suspend) return { kind: 'hold' }
  if (mayExist(kronJob, intent, policy, now)) return { kind: 'unknown' }
  // An edit may have moved or removed the period since it was announced.
  return isPeriod && triggerOf(decision) <= now ? { kind: 'create' } : { kind: 'withdrawn' }
}

/** Whether the announced Job could have come and gone while nobody looked. */
function mayExist(kronJob: KronJob, intent: Intent, policy: Policy, now: number): boolean {
  const at = parseInstant(intent.at)
  if (!at.ok) return true
  const age = now - at.value
  const ttl = kronJob.spec.jobTemplate.spec.ttlSecondsAfterFinished
  return age > Math.floor(policy.deadline / SECOND) || (ttl !== undefined && age >= ttl)
}
