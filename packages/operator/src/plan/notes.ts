import {
  type Decision,
  fallbackOfDecision,
  printInstant,
  type UnseenPeriods,
  type WeightsFallback,
} from '@kron/core'
import type { ConditionType, KronJob } from '../manifest/kronjob.ts'
import type { Holding } from './conditions.ts'
import { periodIdOf } from './names.ts'
import type { PeriodSteps } from './period-steps.ts'
import type { JobResult, Note, Observed, PeriodOutcome } from './plan.ts'
import type { Replacement } from './replacing.ts'

/** The Events about the steps, which `kubectl describe` shows to people. */
export function notesOf(
  { kronJob, block, isFreshBlock }: Observed,
  { outcomes, effects, unseen, next }: PeriodSteps,
  results: readonly JobResult[],
  replacement: Replacement | undefined,
): Note[] {
  const missed = outcomes.filter(each => each.outcome === 'missed')
  const notes: Note[] = outcomes.filter(each => each.outcome !== 'missed').map(outcomeNote)
  if (missed.length > 0) notes.push(missedNote(missed, unseen))
  if (block && isFreshBlock) {
    notes.push({ type: 'Warning', reason: block.failure.reason, text: block.failure.message })
  }
  for (const effect of effects) {
    if (effect.kind !== 'replace') continue
    notes.push({
      type: 'Normal',
      reason: 'Replaced',
      text: `Deleting Job ${effect.job.name} to make room for the next`,
    })
  }
  if (replacement?.isStuck) notes.push(...newsOf(kronJob, 'Stalled', replacement.holding.Stalled!))
  notes.push(...results.map(resultNote), ...fallbackNote(kronJob, next))
  const changed = kronJob.status?.observedGeneration !== kronJob.metadata.generation
  if (changed && next && next.chosen !== null) {
    const text = `The period ${periodIdOf(next)} starts at ${printInstant(next.chosen)}`
    notes.push({ type: 'Normal', reason: 'Scheduled', text })
  }
  return notes
}

const FALLBACK_REASONS: Readonly<Record<WeightsFallback, string>> = {
  missing: 'the ConfigMap kron-files has no such key',
  unreadable: 'the weights have a mistake',
  stale: 'the weights do not cover the window',
  empty: 'all weights in the window are 0',
}

/** Reports that a window is spread evenly in spite of its weights, when that begins or its reason changes. */
function fallbackNote({ spec, status }: KronJob, next: Decision | undefined): Note[] {
  const fallback = next && fallbackOfDecision(next)
  if (next === undefined || fallback === undefined || fallback === status?.weightsFallback) return []
  const file = `${spec.distribution?.params?.['file']}.csv`
  const text = `The period ${periodIdOf(next)} is spread evenly, without ${file}: ${FALLBACK_REASONS[fallback]}`
  return [{ type: 'Warning', reason: 'WeightsFallback', text }]
}

/** Reports a stuck KronJob when it becomes stuck, or when the message changes. */
export function troubleNote(kronJob: KronJob, { InvalidSpec, SchedulingError }: Holding): Note[] {
  if (InvalidSpec) return newsOf(kronJob, 'InvalidSpec', InvalidSpec, 'InvalidSpec')
  return SchedulingError ? newsOf(kronJob, 'SchedulingError', SchedulingError, 'SchedulingError') : []
}

function newsOf(
  { status }: KronJob,
  type: ConditionType,
  { reason, message }: { readonly reason: string; readonly message: string },
  name: string = reason,
): Note[] {
  const known = status?.conditions?.find(each => each.type === type)
  const isNews = known?.status !== 'True' || known.message !== message
  return isNews ? [{ type: 'Warning', reason: name, text: message }] : []
}

/** One note for all missed periods: the first and the last of them, their number, and the reason of the last. */
function missedNote(missed: readonly PeriodOutcome[], unseen: UnseenPeriods | undefined): Note {
  const { reason } = missed.at(-1)!
  const nominals = [...(unseen?.missed ?? []), ...missed.map(each => each.decision.nominal)]
  const first = printInstant(Math.min(...nominals))
  const last = printInstant(Math.max(...nominals))
  const count = `${unseen?.more ? 'more than ' : ''}${nominals.length} periods`
  const text =
    nominals.length === 1
      ? `Missed the period ${last} (${reason})`
      : `Missed ${first} to ${last}, ${count} (${reason})`
  return { type: 'Warning', reason: 'Missed', text }
}

function resultNote({ job, succeeded }: JobResult): Note {
  return succeeded
    ? { type: 'Normal', reason: 'JobSucceeded', text: `Job ${job.name} succeeded` }
    : { type: 'Warning', reason: 'JobFailed', text: `Job ${job.name} failed` }
}

function outcomeNote(ended: PeriodOutcome): Note {
  const { decision, outcome, reason, jobName } = ended
  const period = `the period ${periodIdOf(decision)}`
  switch (outcome) {
    case 'executed':
      if (jobName === undefined) {
        return {
          type: 'Warning',
          reason: 'JobCreated',
          text: `The Job of ${period} was announced, but is not to be found`,
        }
      }
      return { type: 'Normal', reason: 'JobCreated', text: `Created Job ${jobName} for ${period}` }
    case 'skipped':
      return { type: 'Normal', reason: 'Skipped', text: `Skipped ${period}: a Job is still active` }
    case 'missed':
      return missedNote([ended], undefined)
    case 'unschedulable':
      return { type: 'Warning', reason: 'Unschedulable', text: `No allowed second for ${period}: ${reason}` }
  }
}
