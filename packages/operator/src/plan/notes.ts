import { printInstant } from '@kron/core'
import { periodIdOf } from './names.ts'
import type { Note, Observed, PeriodOutcome } from './plan.ts'
import type { Course } from './reconcile.ts'

/** What a person should read about a course in `kubectl describe`. */
export function notesOf({ kronJob, failure }: Observed, { outcomes, effects, next }: Course): Note[] {
  const missed = outcomes.filter(each => each.outcome === 'missed')
  const notes: Note[] = outcomes.filter(each => each.outcome !== 'missed').map(outcomeNote)
  if (missed.length > 0) notes.push(missedNote(missed))
  if (failure) notes.push({ type: 'Warning', reason: failure.reason, text: failure.message })
  for (const effect of effects) {
    if (effect.kind !== 'replace') continue
    notes.push({
      type: 'Normal',
      reason: 'Replaced',
      text: `Deleting Job ${effect.job.name} to make room for the next`,
    })
  }
  const changed = kronJob.status?.observedGeneration !== kronJob.metadata.generation
  if (changed && next && next.chosen !== null) {
    const text = `The period ${periodIdOf(next)} starts at ${printInstant(next.chosen)}`
    notes.push({ type: 'Normal', reason: 'Scheduled', text })
  }
  return notes
}

/** However many were missed, it is told once. */
function missedNote(missed: readonly PeriodOutcome[]): Note {
  const { decision, reason } = missed.at(-1)!
  const last = `the period ${periodIdOf(decision)} (${reason})`
  const text =
    missed.length === 1 ? `Missed ${last}` : `Missed ${missed.length} periods, the last being ${last}`
  return { type: 'Warning', reason: 'Missed', text }
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
      return missedNote([ended])
    case 'unschedulable':
      return { type: 'Warning', reason: 'Unschedulable', text: `No allowed second for ${period}: ${reason}` }
  }
}
