import {
  catchUp,
  closedThrough,
  type Decision,
  decide,
  type Handled,
  type Job,
  judge,
  KronError,
  markHandled,
  next as nextNominal,
  parseInstant,
  plan as planPeriods,
  triggerOf,
  UNSCHEDULABLE_REASON,
} from '@kron/core'
import { type Intent, type KronJob, keyOf } from '../manifest/kronjob.ts'
import { jobOf, parseSpec, printFieldFault } from '../manifest/parse.ts'
import { announcementOf, intentFor } from './announcement.ts'
import { handledOf } from './handled.ts'
import { beyondHistory } from './history.ts'
import { type Settled, settle } from './intent.ts'
import { jobManifest, type ObservedJob } from './job.ts'
import { notesOf } from './notes.ts'
import type { Effect, Observed, PeriodOutcome, Plan } from './plan.ts'
import { statusOf, stuckStatus } from './status.ts'

/** What to do about one KronJob now. Pure: one value in, one value out; `apply` carries it out. */
export function reconcile(observed: Observed): Plan {
  const { kronJob } = observed
  if (kronJob.metadata.deletionTimestamp !== undefined) {
    return { status: kronJob.status ?? {}, effects: [], outcomes: [], notes: [] }
  }
  const read = parseSpec(kronJob.spec)
  const refusal = read.ok ? observed.refusal : read.faults.map(printFieldFault).join('\n')
  if (!read.ok || refusal !== undefined)
    return blocked(observed, read.ok ? 'TemplateRefused' : 'Rejected', refusal!)
  const job = jobOf(keyOf(kronJob), read.schedule)
  try {
    return pursue(job, observed)
  } catch (error) {
    if (error instanceof KronError) return broken(observed, error)
    throw error
  }
}

function pursue(job: Job, observed: Observed): Plan {
  const { kronJob, jobs } = observed
  const course = follow(job, observed)
  const forgotten = beyondHistory(jobs, kronJob.spec.history).map(each => ({
    kind: 'forget' as const,
    job: each,
  }))
  return {
    status: isAnnounced(course, kronJob) ? kronJob.status! : statusOf(observed, job, course),
    effects: [...course.effects, ...forgotten],
    outcomes: course.outcomes,
    notes: notesOf(observed, course),
    ...(course.next && !job.schedule.policy.suspend ? { wakeAt: triggerOf(course.next) } : {}),
  }
}

/** Whether the status says all that must be said before the Job is created. */
const isAnnounced = ({ intent, effects, outcomes }: Course, { metadata, status }: KronJob): boolean =>
  intent !== undefined &&
  intent === status?.intent &&
  effects.some(each => each.kind === 'create') &&
  outcomes.length === 0 &&
  metadata.generation === status.observedGeneration

/** How the periods of a job go on from here. */
export interface Course {
  readonly outcomes: readonly PeriodOutcome[]
  readonly handled: Handled
  readonly intent?: Intent
  readonly effects: readonly Effect[]
  readonly next?: Decision
  readonly executed?: ObservedJob
}

function follow(job: Job, observed: Observed): Course {
  const { kronJob, jobs, failure, now } = observed
  const before = handledOf(kronJob, job.schedule)
  const pending = pendingStart(job, observed)
  const outcomes: PeriodOutcome[] = [...(pending?.outcomes ?? [])]
  const unfinished = pending?.intent !== undefined
  const settled = { ...before, above: [...before.above, ...outcomes.map(each => each.decision.nominal)] }
  const suspended = job.schedule.policy.suspend
  const next = suspended ? undefined : planPeriods(job, settled, now).find(each => triggerOf(each) > now)
  // One start at a time: the next is judged when this one is settled.
  const judged = unfinished ? pending : judgePeriods(job, observed, settled)
  if (judged !== pending) outcomes.push(...judged.outcomes)
  const calm = judged.effects.length === 0 && failure === undefined
  const intent =
    judged.intent ?? (calm ? announcementOf(kronJob, next, job.schedule.policy, jobs, now) : undefined)
  return {
    outcomes,
    handled: outcomes.length === 0 ? before : markAll(job, before, outcomes, now),
    effects: judged.effects,
    ...(intent && { intent }),
    ...(pending?.executed && { executed: pending.executed }),
    ...(next && { next }),
  }
}

function markAll(job: Job, handled: Handled, outcomes: readonly PeriodOutcome[], now: number): Handled {
  const nominals = outcomes.map(each => each.decision.nominal)
  const closed = job.schedule.policy.suspend ? handled.through : closedThrough(job.schedule, now)
  return markHandled(handled, nominals, job.schedule, Math.max(handled.through, closed))
}

interface Step {
  readonly outcomes: readonly PeriodOutcome[]
  readonly effects: readonly Effect[]
  readonly intent?: Intent
  readonly executed?: ObservedJob
}

/** Settles the start that the status announces, if it does. */
function pendingStart(job: Job, observed: Observed): Step | undefined {
  const { kronJob } = observed
  const intent = kronJob.status?.intent
  const nominal = intent && parseInstant(intent.periodID)
  if (!intent || !nominal?.ok) return undefined
  const decision = decide(job, nominal.value)
  const { cron, zone, policy } = job.schedule
  const isPeriod = nextNominal(cron, zone, nominal.value - 1) === nominal.value
  return stepOf(settle({ observed, intent, decision, isPeriod, policy }), intent, decision, observed)
}

function stepOf(settled: Settled, intent: Intent, decision: Decision, { kronJob, now }: Observed): Step {
  switch (settled.kind) {
    case 'executed': {
      const done: PeriodOutcome = { decision, outcome: 'executed', reason: '', jobName: settled.job.name }
      return { outcomes: [done], effects: [], executed: settled.job }
    }
    case 'unknown':
      return { outcomes: [{ decision, outcome: 'executed', reason: 'unknown result' }], effects: [] }
    case 'withdrawn':
      return { outcomes: [], effects: [] }
    case 'create':
      return { outcomes: [], effects: [creation(kronJob, decision)], intent }
    case 'announce':
      return start(kronJob, decision, now)
    case 'terminate':
      return { outcomes: [], effects: settled.jobs.map(job => ({ kind: 'replace', job })), intent }
    case 'hold':
      return { outcomes: [], effects: [], intent }
  }
}

function judgePeriods(job: Job, observed: Observed, handled: Handled): Step {
  const { kronJob, jobs, failure, now } = observed
  const { policy } = job.schedule
  const active = jobs.filter(each => each.finished === undefined)
  const outcomes: PeriodOutcome[] = []
  const end = (decision: Decision, outcome: PeriodOutcome['outcome'], reason: string): void => {
    outcomes.push({ decision, outcome, reason })
  }
  if (policy.suspend) return { outcomes, effects: [] }
  const { missed, rest } = catchUp(job, handled, now)
  // The steady course collapses nothing: every late period is judged.
  const gone = observed.catchUp ? missed : missed.filter(each => each.reason === 'deadline')
  const late = missed.filter(each => !gone.includes(each)).map(each => each.decision)
  for (const { decision, reason } of gone) end(decision, 'missed', reason)
  for (const decision of [...late, ...rest]) {
    const verdict = judge({ decision, policy, handled: false, active: active.length > 0, now })
    switch (verdict.kind) {
      case 'wait':
      case 'suspended':
      case 'alreadyHandled':
        return { outcomes, effects: [] }
      case 'unschedulable':
        end(decision, 'unschedulable', UNSCHEDULABLE_REASON)
        break
      case 'miss':
        end(decision, 'missed', 'deadline')
        break
      case 'skip':
        end(decision, 'skipped', verdict.reason)
        break
      case 'replace':
        if (failure !== undefined) return { outcomes, effects: [] }
        return { ...replacement(kronJob, decision, active, now), outcomes }
      case 'execute':
        // What has just failed is tried again later, not at once.
        if (failure !== undefined) return { outcomes, effects: [] }
        return { ...start(kronJob, decision, now), outcomes }
    }
  }
  return { outcomes, effects: [] }
}

const creation = (kronJob: KronJob, decision: Decision): Effect => ({
  kind: 'create',
  job: jobManifest(kronJob, decision),
  chosen: triggerOf(decision),
})

const start = (kronJob: KronJob, decision: Decision, now: number): Step => ({
  outcomes: [],
  effects: [creation(kronJob, decision)],
  intent: intentFor(kronJob, decision, now),
})

const replacement = (
  kronJob: KronJob,
  decision: Decision,
  old: readonly ObservedJob[],
  now: number,
): Step => ({
  outcomes: [],
  effects: old.filter(each => !each.deleting).map(job => ({ kind: 'replace', job })),
  intent: { ...intentFor(kronJob, decision, now), replacing: true },
})

/** The engine cannot go on with what the status holds: no period is handled, and a person is told. */
function broken({ kronJob, jobs, now }: Observed, { category, message }: KronError): Plan {
  const known = kronJob.status?.conditions?.find(each => each.type === 'SchedulingError')
  const isNews = known?.status !== 'True' || known.message !== message
  return {
    status: stuckStatus(kronJob, jobs, { SchedulingError: { reason: category, message } }, now),
    effects: [],
    outcomes: [],
    notes: isNews ? [{ type: 'Warning', reason: 'SchedulingError', text: message }] : [],
  }
}

function blocked({ kronJob, jobs, now }: Observed, reason: string, message: string): Plan {
  const known = kronJob.status?.conditions?.find(each => each.type === 'InvalidSpec')
  const isNews = known?.status !== 'True' || known.message !== message
  return {
    status: stuckStatus(kronJob, jobs, { InvalidSpec: { reason, message } }, now),
    effects: beyondHistory(jobs, kronJob.spec.history).map(job => ({ kind: 'forget' as const, job })),
    outcomes: [],
    notes: isNews ? [{ type: 'Warning', reason: 'InvalidSpec', text: message }] : [],
  }
}
