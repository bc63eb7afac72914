import type { KronJob } from '../manifest/kronjob.ts'
import { isAhead } from './announcement.ts'
import type { Plan } from './plan.ts'

/**
 * Whether the status of the plan may be written later. That is so if nothing starts or ends, and if a later look at the
 * KronJob leads to the same outcomes. It does not if the time of an announcement has come: with a TTL, a missing Job
 * soon counts as one that has run.
 */
export const canWait = ({ effects, outcomes, results = [] }: Plan, kronJob: KronJob, now: number): boolean =>
  (kronJob.status?.intent === undefined || isAhead(kronJob, now)) &&
  effects.every(each => each.kind === 'forget') &&
  outcomes.every(each => each.outcome === 'missed' || each.outcome === 'unschedulable') &&
  results.length === 0
