import {
  calendarDigests,
  type Decision,
  fallbackOfDecision,
  type Job,
  printDuration,
  printInstant,
} from '@kron/core'
import type { KronJob, KronJobStatus } from '../manifest/kronjob.ts'
import { weightsDigestOf } from '../manifest/schedule-files.ts'
import { mustBeFresh } from './announcement.ts'
import { conditionsOf, type Holding, stillHolding } from './conditions.ts'
import { type ObservedJob, referenceTo } from './job.ts'
import type { PeriodSteps } from './period-steps.ts'
import type { Observed, PeriodOutcome } from './plan.ts'
import type { Results } from './results.ts'

/** The status after the steps. Fields that it leaves out are to be removed. */
export function statusOf(
  observed: Observed,
  job: Job,
  steps: PeriodSteps,
  results: Results,
  replacement: Holding,
): KronJobStatus {
  const { kronJob, jobs, salt, now } = observed
  const { handled, outcomes, next, executed, intent } = steps
  const { handledThrough, handledPeriods, salt: _, ...before } = withoutFiles(kept(kronJob))
  const chosen = next?.chosen
  const isSalted = salt !== undefined && job.schedule.seed.salt === salt
  return {
    ...before,
    ...results.status,
    ...observedOf(kronJob, jobs),
    window: `${job.schedule.window.mode} ${printDuration(job.schedule.window.duration)}`,
    ...(isSalted && { salt }),
    ...filesOf(job, next),
    ...(outcomes.length > 0
      ? { handledThrough: printInstant(handled.through), ...lastOf(outcomes) }
      : handledThrough !== undefined && { handledThrough }),
    ...(outcomes.length > 0
      ? handled.above.length > 0 && { handledPeriods: handled.above.map(printInstant) }
      : handledPeriods !== undefined && { handledPeriods }),
    ...(next && {
      nextPeriodID: printInstant(next.nominal),
      nextNominalTime: printInstant(next.nominal),
      nextSeedHash: next.seedHash,
    }),
    ...(chosen !== undefined && chosen !== null && { nextChosenTime: printInstant(chosen) }),
    ...(intent && { intent }),
    ...(executed && { lastJobRef: referenceTo(executed) }),
    conditions: conditionsOf(kronJob, { ...holdingOf(observed, job, outcomes), ...replacement }, now),
  }
}

/** The versions of the calendars and weights that decide the times. */
function filesOf({ schedule }: Job, next: Decision | undefined): KronJobStatus {
  const calendars = calendarDigests(schedule)
  const weightsDigest = weightsDigestOf(schedule)
  const weightsFallback = next && fallbackOfDecision(next)
  return {
    ...(calendars && { calendars }),
    ...(weightsDigest !== undefined && { weightsDigest }),
    ...(weightsFallback && { weightsFallback }),
  }
}

function withoutFiles({ calendars, weightsDigest, weightsFallback, ...rest }: KronJobStatus): KronJobStatus {
  return rest
}

/** The status of a KronJob that cannot be scheduled. */
export function stuckStatus(
  { kronJob, jobs, certainlyAbsent, now }: Observed,
  results: Results,
  holding: Holding,
): KronJobStatus {
  const { intent } = kronJob.status ?? {}
  const isMisleading = certainlyAbsent && mustBeFresh(kronJob)
  return {
    ...kept(kronJob),
    ...results.status,
    ...observedOf(kronJob, jobs),
    ...(intent && !isMisleading && { intent }),
    conditions: conditionsOf(kronJob, holding, now),
  }
}

/** The fields of the status that stay until a reconciliation replaces them. */
function kept({ status = {} }: KronJob): KronJobStatus {
  const { nextPeriodID, nextNominalTime, nextChosenTime, nextSeedHash, intent, ...rest } = status
  return rest
}

function observedOf(kronJob: KronJob, jobs: readonly ObservedJob[]): KronJobStatus {
  const active = jobs.filter(each => each.finished === undefined)
  const references = active.map(referenceTo).sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    observedGeneration: kronJob.metadata.generation ?? 0,
    active: references,
    activeCount: active.length,
  }
}

function lastOf(outcomes: readonly PeriodOutcome[]): KronJobStatus {
  const last = outcomes.at(-1)!
  const { nominal, chosen, seedHash } = last.decision
  return {
    lastPeriodID: printInstant(nominal),
    lastNominalTime: printInstant(nominal),
    lastChosenTime: chosen === null ? '' : printInstant(chosen),
    lastOutcome: last.outcome,
    lastReason: last.reason,
    lastSeedHash: seedHash,
  }
}

function holdingOf({ kronJob, block }: Observed, job: Job, outcomes: readonly PeriodOutcome[]): Holding {
  const changed = kronJob.metadata.generation !== kronJob.status?.observedGeneration
  const last = outcomes.at(-1)
  return {
    ...(!changed && !last && stillHolding(kronJob, 'Unschedulable')),
    // A block lasts until a Job can be created. Missed periods do not end it.
    ...(block && { SchedulingError: { reason: block.failure.reason, message: block.failure.message } }),
    ...(last?.outcome === 'unschedulable' && {
      Unschedulable: { reason: 'NoCandidate', message: last.reason },
    }),
    ...(job.schedule.policy.suspend && {
      Suspended: { reason: 'Suspended', message: 'spec.policy.suspend is true.' },
    }),
  }
}
