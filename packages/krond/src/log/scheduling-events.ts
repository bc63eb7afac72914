import {
  attemptsOf,
  type Decision,
  type Outcome,
  printInstant,
  recordOf,
  type UnseenPeriods,
} from '@kron/core'
import { makeEvent, periodOf } from './make-event.ts'

/** All fields that are needed to recompute the decision, under SPEC.md's names. */
export function decisionMade(decision: Decision) {
  const record = recordOf(decision)
  const level = record.weightsFallback === undefined ? 'info' : 'warn'
  return makeEvent(level, 'scheduler', 'decision', record)
}

/** The steps of a decision, for level debug: its seed, every sample, and the constraint that refused one. */
export function decisionSteps(decision: Decision) {
  const { periodKey, seedHash } = decision
  const period = periodOf(decision)
  const seed = makeEvent('debug', 'scheduler', 'seed_computed', { ...period, periodKey, seedHash })
  const samples = attemptsOf(decision).flatMap(({ u, candidate, rejectedBy }, index) => {
    const sample = { ...period, attempt: index + 1, candidate: printInstant(candidate) }
    const drawn = makeEvent('debug', 'scheduler', 'sample', { ...sample, u })
    if (rejectedBy === undefined) return [drawn]
    return [drawn, makeEvent('debug', 'scheduler', 'constraint_reject', { ...sample, rejectedBy })]
  })
  return [seed, ...samples]
}

export const triggered = (decision: Decision, verdict: string, latenessSeconds: number) =>
  makeEvent('debug', 'scheduler', 'trigger', { ...periodOf(decision), verdict, latenessSeconds })

/** The reason for which a start waits in the queue. */
export type QueueReason = 'max_concurrent' | 'disk'

export const queued = (decision: Decision, waiting: number, reason: QueueReason) =>
  makeEvent('info', 'scheduler', 'queued', { ...periodOf(decision), waiting, reason })

const MERELY_LATE: ReadonlySet<string> = new Set(['deadline', 'superseded', 'queue', 'state_corrupt'])

/** A period that ended without an execution; none of these is an error. */
export function notExecuted(
  decision: Decision,
  outcome: Exclude<Outcome, 'executed'>,
  reason: string,
  unseen?: UnseenPeriods,
) {
  const chosenTime = decision.chosen === null ? '' : printInstant(decision.chosen)
  const earlierMissed = unseen?.missed.length
  const fields = {
    ...periodOf(decision),
    outcome,
    reason,
    chosenTime,
    ...(earlierMissed !== undefined && { earlierMissed }),
    ...(unseen?.more && { evenMoreMissed: true as const }),
  }
  switch (outcome) {
    case 'skipped':
      return makeEvent('info', 'scheduler', 'skipped_concurrency', fields)
    case 'missed':
      // Lateness is not an error; a command that could not be started is one.
      return makeEvent(MERELY_LATE.has(reason) ? 'info' : 'warn', 'scheduler', 'missed_deadline', fields)
    case 'unschedulable':
      return makeEvent('warn', 'scheduler', 'constraint_unsatisfiable', fields)
  }
}

export const rescheduled = (decision: Decision, retryAt: string, tries: number) =>
  makeEvent('info', 'scheduler', 'reschedule', { ...periodOf(decision), retryAt, tries })

export const clockJumped = (direction: 'forward' | 'backward', byMs: number) =>
  makeEvent(direction === 'backward' ? 'warn' : 'info', 'scheduler', 'clock_jump', {
    direction,
    byMs: Math.round(byMs),
  })

/** The clock was ahead: periods that were passed over meanwhile will run. */
export const periodsReopened = (jobs: number) =>
  makeEvent('warn', 'scheduler', 'periods_reopened', {
    jobs,
    message:
      'the clock had been ahead; periods that it passed over and that are still to come run again on time',
  })
