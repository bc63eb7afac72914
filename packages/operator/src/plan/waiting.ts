import type { KronJob } from '../manifest/kronjob.ts'
import { isAhead } from './announcement.ts'
import type { Plan } from './plan.ts'

/**
 * Whether the status of the plan may be written later. It may wait if nothing starts or ends now and a later look finds
 * the same outcomes. Once the time of an announcement has come, it may not wait: after the TTL, a missing Job counts as
 * one that ran.
 */
export const canWait = ({ effects, outcomes, results = [] }: Plan, kronJob: KronJob, now: number): boolean =>
  (kronJob.status?.intent === undefined || isAhead(kronJob, now)) &&
  effects.every(each => each.kind === 'forget') &&
  outcomes.every(each => each.outcome === 'missed' || each.outcome === 'unschedulable') &&
  results.length === 0
