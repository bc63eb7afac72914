import {
  type ActiveRun,
  type Decision,
  decide,
  type Handled,
  type Job,
  markHandled,
  type PeriodAttempt,
  type Policy,
  parseInstant,
  plan as planPeriods,
  type TurnResult,
  triggerOf,
  turn,
  UNSCHEDULABLE_REASON,
  type UnseenPeriods,
} from '@kron/core'
import type { Intent, KronJob } from '../manifest/kronjob.ts'
import { announcementOf, intentFor, mustBeFresh, replacementFor } from './announcement.ts'
import { handledOf } from './handled.ts'
import { settle } from './intent.ts'
import { jobManifest, type ObservedJob } from './job.ts'
import type { Effect, Observed, PeriodOutcome } from './plan.ts'

/** The next steps for the periods of a KronJob. */
export interface PeriodSteps {
  readonly outcomes: readonly PeriodOutcome[]
  readonly unseen?: UnseenPeriods
  readonly handled: Handled
  readonly intent?: Intent
  readonly effects: readonly Effect[]
  readonly next?: Decision
  readonly executed?: ObservedJob
  readonly wakeAt?: number
}

/** The announced start after it is settled: its outcome if it has one, or its attempt if it continues. */
interface Pending {
  readonly outcomes: readonly PeriodOutcome[]
  readonly attempts: readonly PeriodAttempt[]
  readonly executed?: ObservedJob
}

const NOTHING_PENDING: Pending = { outcomes: [], attempts: [] }

/** Settles the announced start, gets the next turn from the period machine, and translates it for Kubernetes. */
export function periodSteps(job: Job, observed: Observed): PeriodSteps {
  const { kronJob, jobs, now, block } = observed
  const { schedule } = job
  const before = handledOf(kronJob, schedule)
  const pending = settlePending(job, observed)
  const settled = markHandled(before, nominalsOf(pending.outcomes), schedule)
  const answer = turn({
    job,
    handled: pending.outcomes.length === 0 ? before : settled,
    attempts: pending.attempts,
    active: activeRuns(jobs, schedule.policy),
    room: true,
    now,
    catchingUp: observed.catchUp,
    ...(block && { notBefore: block.until }),
  })
  const overtaken = overtakenBy(answer, job, pending)
  const outcomes = [...pending.outcomes, ...overtaken, ...answer.outcomes.map(periodOutcomeOf)]
  const next = schedule.policy.suspend
    ? undefined
    : planPeriods(job, answer.handled, now).find(each => triggerOf(each) > now)
  const effects = effectsOf(answer, observed)
  const intent =
    intentOf(answer, observed) ??
    keptIntent(observed, pending, outcomes) ??
    (block ? undefined : announcementOf(kronJob, next, schedule.policy, jobs))
  return {
    outcomes,
    handled:
      overtaken.length === 0 ? answer.handled : markHandled(answer.handled, nominalsOf(overtaken), schedule),
    effects,
    ...(answer.unseen && { unseen: answer.unseen }),
    ...(intent && { intent }),
    ...(pending.executed && { executed: pending.executed }),
    ...(next && { next }),
    ...(answer.wakeAt !== undefined && { wakeAt: answer.wakeAt }),
  }
}

const nominalsOf = (outcomes: readonly PeriodOutcome[]): number[] =>
  outcomes.map(each => each.decision.nominal)

function settlePending(job: Job, observed: Observed): Pending {
  const intent = observed.kronJob.status?.intent
  const nominal = intent && parseInstant(intent.periodID)
  if (!intent || !nominal?.ok) return NOTHING_PENDING
  const decision = decide(job, nominal.value)
  const settled = settle(observed, intent, decision, job.schedule.policy)
  switch (settled.kind) {
    case 'executed': {
      const done: PeriodOutcome = { decision, outcome: 'executed', reason: '', jobName: settled.job.name }
      return { outcomes: [done], attempts: [], executed: settled.job }
    }
    case 'unknown':
      return { outcomes: [{ decision, outcome: 'executed', reason: 'unknown result' }], attempts: [] }
    case 'replacing':
      return { outcomes: [], attempts: [{ phase: 'replacing', nominal: nominal.value }] }
    case 'hold':
      return { outcomes: [], attempts: [{ phase: 'intended', nominal: nominal.value }] }
    case 'open':
      return NOTHING_PENDING
  }
}

/** A Job deleted in the foreground stays until its pods are gone. A replacement waits for that. */
const activeRuns = (jobs: readonly ObservedJob[], { concurrency }: Policy): ActiveRun[] =>
  jobs
    .filter(each => each.finished === undefined || (concurrency === 'replace' && each.deleting))
    .map(each => ({ ending: each.deleting }))

function periodOutcomeOf({ decision, outcome, reason }: TurnResult['outcomes'][number]): PeriodOutcome {
  return { decision, outcome, reason: reason === 'constraints' ? UNSCHEDULABLE_REASON : reason }
}

/** The status announces only one start. A replacement that has not happened when the next is due is missed. */
function overtakenBy({ start, replace }: TurnResult, job: Job, { attempts }: Pending): PeriodOutcome[] {
  const moved = start ?? replace
  return attempts
    .filter(each => moved !== undefined && each.phase === 'replacing' && each.nominal !== moved.nominal)
    .map(each => ({ decision: decide(job, each.nominal), outcome: 'missed', reason: 'replace' }))
}

function effectsOf({ start, replace }: TurnResult, { kronJob, jobs }: Observed): Effect[] {
  if (start) return [{ kind: 'create', job: jobManifest(kronJob, start), chosen: triggerOf(start) }]
  if (!replace) return []
  return jobs
    .filter(each => each.finished === undefined && !each.deleting)
    .map(job => ({ kind: 'replace', job }))
}

function intentOf({ start, replace }: TurnResult, observed: Observed): Intent | undefined {
  if (start) return intentFor(observed, start)
  return replace && replacementFor(observed.kronJob, replace, observed.now)
}

/**
 * Keeps an announcement while its period is in progress or waits for a retry, which saves the write of a second announcement.
 * Exception: it is removed if the Job was certainly refused and finished Jobs have a TTL. Otherwise a later leader would
 * conclude that the announced Job ran and was deleted.
 */
function keptIntent(
  { kronJob, block, certainlyAbsent }: Observed,
  { attempts }: Pending,
  outcomes: readonly PeriodOutcome[],
): Intent | undefined {
  const intent = kronJob.status?.intent
  const nominal = intent && parseInstant(intent.periodID)
  if (!nominal?.ok || nominalsOf(outcomes).includes(nominal.value)) return undefined
  if (attempts.length > 0) return intent
  return block && !(certainlyAbsent && mustBeFresh(kronJob)) ? intent : undefined
}

/** Whether the status already holds everything that must be written before the Job is created. */
export const isAnnounced = (steps: PeriodSteps, { metadata, status }: KronJob): boolean =>
  steps.intent !== undefined &&
  steps.intent === status?.intent &&
  steps.effects.some(each => each.kind === 'create') &&
  steps.outcomes.length === 0 &&
  metadata.generation === status.observedGeneration
