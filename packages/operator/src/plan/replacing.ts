import type { KronJob } from '../manifest/kronjob.ts'
import { atOf } from './announcement.ts'
import type { Holding } from './conditions.ts'
import { type ObservedJob, podGraceOf } from './job.ts'
import type { PeriodSteps } from './period-steps.ts'

/** Seconds that the end of a Job may take, beyond the grace period of its pods, before it is reported. */
const PATIENCE = 10

export interface Replacement {
  readonly holding: Holding
  readonly isStuck: boolean
  /** The second at which the replacement counts as stuck. */
  readonly stuckAt: number
}

/** The progress of a replacement. Undefined if there is none. */
export function replacementOf(
  kronJob: KronJob,
  { intent }: PeriodSteps,
  jobs: readonly ObservedJob[],
  now: number,
): Replacement | undefined {
  if (!intent?.replacing) return undefined
  const names = jobs.filter(each => each.deleting || each.finished === undefined).map(each => each.name)
  const waiting = names.length === 0 ? 'the old Jobs' : `Job ${names.join(', ')}`
  const message = `The period ${intent.periodID} waits until ${waiting} is gone.`
  const stuckAt = atOf(intent) + podGraceOf(kronJob) + PATIENCE
  if (now < stuckAt)
    return { holding: { Replacing: { reason: 'Replacing', message } }, isStuck: false, stuckAt }
  const stuck = `${message} It takes longer than the grace of its pods: look for finalizers and pods that do not end.`
  return { holding: { Stalled: { reason: 'ReplaceStuck', message: stuck } }, isStuck: true, stuckAt }
}
