import { printInstant, recordOf } from '@kron/core'
import type { Recorder } from '../cluster/recorder.ts'
import { type KronJob, keyOf } from '../manifest/kronjob.ts'
import type { Block, Plan } from '../plan/plan.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

export interface Reporters {
  readonly metrics: Metrics
  readonly log: Log
  readonly recorder: Recorder
}

/** Logs the outcomes of a plan whose status may be written: the answer was lost. */
export function reportUnconfirmed({ outcomes }: Plan, { log }: Pick<Reporters, 'log'>): void {
  for (const { decision, outcome, reason } of outcomes)
    log('warn', 'unconfirmed', { ...recordOf(decision), outcome, ...(reason && { reason }) })
}

/** Reports a plan whose status is written, in metrics, log and Events. */
export function reportPlan(kronJob: KronJob, plan: Plan, { metrics, log, recorder }: Reporters): void {
  for (const { decision, outcome, reason, jobName } of plan.outcomes) {
    metrics.decisions.add({ outcome })
    if (outcome === 'missed') metrics.missed.add({ reason })
    if (outcome === 'skipped') metrics.skipped.add()
    if (outcome === 'unschedulable') metrics.unschedulable.add()
    const level = outcome === 'unschedulable' ? 'warn' : 'info'
    log(level, outcome, { ...recordOf(decision), ...(reason && { reason }), ...(jobName && { jobName }) })
  }
  const unseen = plan.unseen?.missed ?? []
  if (unseen.length > 0) {
    // Periods that closed while no leader was active also count as missed because of their deadline.
    metrics.decisions.add({ outcome: 'missed' }, unseen.length)
    metrics.missed.add({ reason: 'deadline' }, unseen.length)
    const range = { from: printInstant(unseen[0]!), to: printInstant(unseen.at(-1)!) }
    log('warn', 'missed unseen', { identity: keyOf(kronJob), periods: unseen.length, ...range })
  }
  for (const { succeeded } of plan.results ?? []) {
    metrics.results.add({ result: succeeded ? 'succeeded' : 'failed' })
  }
  if (plan.wakeAt !== undefined && plan.outcomes.length > 0) {
    log('debug', 'next', { identity: keyOf(kronJob), at: printInstant(plan.wakeAt) })
  }
  for (const note of plan.notes) recorder.record(kronJob, note)
}

/** Reports that the Jobs of a KronJob are refused. */
export function reportBlock(
  key: string,
  { failure, failures, until }: Block,
  { metrics, log }: Pick<Reporters, 'metrics' | 'log'>,
): void {
  const { reason, message } = failure
  metrics.createErrors.add({ reason })
  const fields = { identity: key, reason, message, tries: failures, retryAt: printInstant(until) }
  if (reason === 'PermissionMissing') log('error', 'forbidden', fields)
  else log('warn', 'blocked', fields)
}
