import { OUTCOME_STYLES, type Outcome, type OutcomeKind, outcomeKindOf } from '@kron/core'
import type { OutcomeRecord } from '@kron/host/api'
import type { Event } from '../log/event.ts'

export type { OutcomeRecord }

const REASONS: ReadonlySet<string> = new Set(
  ',deadline,superseded,queue,replace,state_corrupt,concurrency,constraints,timeout,replaced,shutdown,requested,unrecorded,unknown'.split(
    ',',
  ),
)

/** Why a start failed may name a program or a file, which everybody who reaches the port would read. */
export const publicReason = (reason: string): string => (REASONS.has(reason) ? reason : 'not_started')

/** The record as everybody on this machine may read it. */
export const publicOutcome = (record: OutcomeRecord): OutcomeRecord => ({
  ...record,
  by: null,
  reason: publicReason(record.reason),
})

/** The outcome an event tells of; undefined if it tells of none. `at` is when it happened. */
export function outcomeOfEvent(event: Event, at: string): OutcomeRecord | undefined {
  const isEnd = event.event === 'finished'
  if (!isEnd && !NOT_EXECUTED.has(event.event)) return undefined
  const text = (key: string): string | null => (event[key] == null ? null : String(event[key]))
  const number = (key: string): number | null => (typeof event[key] === 'number' ? event[key] : null)
  const { identity = '', period_id: periodId = '' } = event
  const isManual = text('user') !== null
  const isMeasured = number('printed_bytes') !== null
  const duration = number('duration_ms')
  const facts = {
    outcome: isEnd ? ('executed' as const) : (text('outcome') as Outcome),
    reason: text('reason') ?? '',
    exitCode: isEnd ? number('exit_code') : null,
    signal: isEnd ? text('signal') : null,
  }
  return {
    identity,
    runId: isMeasured || isManual ? text('execution_id') : null,
    trigger: isManual ? 'manual' : 'schedule',
    by: text('user'),
    periodId: isManual ? null : periodId,
    kind: outcomeKindOf(facts),
    ...facts,
    nominalTime: isManual ? null : periodId,
    chosenTime: isManual ? null : text('chosen_time') || null,
    startedAt: isEnd ? text('started_at') || null : null,
    completedAt: at,
    durationMs: isMeasured && duration !== null ? Math.max(0, Math.round(duration)) : null,
    userCpuMs: number('user_cpu_ms'),
    systemCpuMs: number('system_cpu_ms'),
    peakMemoryKib: number('peak_memory_kib'),
    printedBytes: number('printed_bytes'),
    droppedBytes: number('dropped_bytes'),
  }
}

const NOT_EXECUTED: ReadonlySet<string> = new Set([
  'skipped_concurrency',
  'missed_deadline',
  'constraint_unsatisfiable',
])

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

/** Newest first: the order of every list of outcomes, and what their cursors hold. */
export const newestFirst = (a: OutcomeRecord, b: OutcomeRecord): number =>
  compare(b.completedAt, a.completedAt) ||
  compare(a.identity, b.identity) ||
  compare(b.periodId ?? '', a.periodId ?? '') ||
  compare(b.runId ?? '', a.runId ?? '')

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
