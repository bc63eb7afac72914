import { OUTCOME_STYLES, type Outcome, type OutcomeKind, outcomeKindOf, REASON_CODES } from '@kron/core'
import { usageRecord } from '@kron/host'
import type { OutcomeRecord } from '@kron/host/api'
import type { Event, EventName } from '../log/event.ts'

export type { OutcomeRecord }

/** A run that ended by itself has an empty reason. */
const REASONS: ReadonlySet<string> = new Set(['', ...REASON_CODES])

/** The reason of a failed start may name a program or a file, so the port does not show it. */
export const publicReason = (reason: string): string => (REASONS.has(reason) ? reason : 'not_started')

/** The record with only the fields that everybody on this machine may read. */
export const publicOutcome = (record: OutcomeRecord): OutcomeRecord => ({
  ...record,
  by: null,
  reason: publicReason(record.reason),
})

/** The outcome in an event; undefined if the event holds none. `at` is the time of the event. */
export function outcomeOfEvent(event: Event, at: string): OutcomeRecord | undefined {
  switch (event.event) {
    case 'finished':
      return ofFinished(event, at)
    case 'skipped_concurrency':
    case 'missed_deadline':
    case 'constraint_unsatisfiable':
      return ofNotExecuted(event, at)
    default:
      return undefined
  }
}

type EventOf<Name extends EventName> = Extract<Event, { readonly event: Name }>

function ofFinished(event: EventOf<'finished'>, at: string): OutcomeRecord {
  const { identity, periodId, user = null, signal = null, reason = '' } = event
  const isManual = user !== null
  const isMeasured = event.printedBytes !== undefined
  const facts = { outcome: 'executed', reason, exitCode: event.exitCode, signal } as const
  return {
    identity,
    runId: isMeasured || isManual ? event.executionId : null,
    trigger: isManual ? 'manual' : 'schedule',
    by: user,
    periodId: isManual ? null : periodId,
    kind: outcomeKindOf(facts),
    ...facts,
    nominalTime: isManual ? null : periodId,
    chosenTime: isManual ? null : event.chosenTime || null,
    startedAt: event.startedAt || null,
    completedAt: at,
    durationMs: isMeasured ? event.durationMs : null,
    ...usageRecord(event),
  }
}

function ofNotExecuted(
  event: EventOf<'skipped_concurrency' | 'missed_deadline' | 'constraint_unsatisfiable'>,
  at: string,
): OutcomeRecord {
  const { identity, periodId, outcome, reason } = event
  const facts = { outcome, reason, exitCode: null, signal: null }
  return {
    identity,
    runId: null,
    trigger: 'schedule',
    by: null,
    periodId,
    kind: outcomeKindOf(facts),
    ...facts,
    nominalTime: periodId,
    chosenTime: event.chosenTime || null,
    startedAt: null,
    completedAt: at,
    durationMs: null,
    ...usageRecord({}),
  }
}

/** An execution that did not end well. */
export const isFailed = ({ kind }: { readonly kind: OutcomeKind }): boolean => OUTCOME_STYLES[kind].isFailure

/** `outcome=` may name an outcome of the specification, or a kind. */
export type OutcomeFilter = Outcome | OutcomeKind

export const OUTCOME_FILTERS: readonly OutcomeFilter[] = [
  'executed',
  'skipped',
  'missed',
  'unschedulable',
  'succeeded',
  'failed',
  'timed_out',
  'replaced',
  'unknown',
]

/** `failed` also means a run that timed out. */
export const passes = (record: OutcomeRecord, filter: OutcomeFilter): boolean =>
  filter === 'failed' ? isFailed(record) : record.kind === filter || record.outcome === filter

/** Newest first: the order of every list of outcomes and of their cursors. */
export const newestFirst = (a: OutcomeRecord, b: OutcomeRecord): number =>
  compare(b.completedAt, a.completedAt) ||
  compare(a.identity, b.identity) ||
  compare(b.periodId ?? '', a.periodId ?? '') ||
  compare(b.runId ?? '', a.runId ?? '')

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
