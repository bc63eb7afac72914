import type { Outcome } from '@kron/core'
import type { HistoryEntry } from '@kron/host'
import type { Event } from '../log/event.ts'

/** What became of one period, as JSON: the keys of `krontab history`, with the job. */
export interface OutcomeRecord {
  readonly identity: string
  readonly periodId: string
  readonly outcome: Outcome
  readonly reason: string
  readonly nominalTime: string
  readonly chosenTime: string | null
  readonly startedAt: string | null
  readonly completedAt: string
  readonly exitCode: number | null
  readonly signal: string | null
}

const REASONS: ReadonlySet<string> = new Set(
  ',deadline,superseded,queue,state_corrupt,concurrency,constraints,timeout,replaced,shutdown,requested,unrecorded,unknown'.split(
    ',',
  ),
)

/** Why a start failed may name a program or a file, which everybody who reaches the port would read. */
export const publicReason = (reason: string): string => (REASONS.has(reason) ? reason : 'not_started')

export const outcomeOfEntry = (identity: string, entry: HistoryEntry): OutcomeRecord => ({
  identity,
  periodId: entry.PeriodID,
  outcome: entry.Outcome,
  reason: publicReason(entry.Reason ?? ''),
  nominalTime: entry.NominalTime,
  chosenTime: entry.ChosenTime || null,
  startedAt: entry.StartedAt || null,
  completedAt: entry.CompletedAt,
  exitCode: entry.ExitCode,
  signal: entry.Signal ?? null,
})

/** The outcome an event tells of; undefined if it tells of none. `at` is when it happened. */
export function outcomeOfEvent(event: Event, at: string): OutcomeRecord | undefined {
  const text = (key: string): string => String(event[key] ?? '')
  const { identity = '', period_id: periodId = '' } = event
  const common = {
    identity,
    periodId,
    nominalTime: periodId,
    chosenTime: text('chosen_time') || null,
    completedAt: at,
    reason: publicReason(text('reason')),
  }
  switch (event.event) {
    case 'finished':
      return {
        ...common,
        outcome: 'executed',
        startedAt: text('started_at') || null,
        exitCode: typeof event['exit_code'] === 'number' ? event['exit_code'] : null,
        signal: text('signal') || null,
      }
    case 'skipped_concurrency':
    case 'missed_deadline':
    case 'constraint_unsatisfiable':
      return {
        ...common,
        outcome: text('outcome') as Outcome,
        startedAt: null,
        exitCode: null,
        signal: null,
      }
    default:
      return undefined
  }
}

/** An execution that did not end well. */
export const isFailed = ({ outcome, exitCode, signal }: OutcomeRecord): boolean =>
  outcome === 'executed' && (signal !== null || (exitCode !== null && exitCode !== 0))

/** What `outcome=` may name: `failed` and `succeeded` split what was executed. */
export type OutcomeFilter = Outcome | 'failed' | 'succeeded'

export const OUTCOME_FILTERS: readonly OutcomeFilter[] = [
  'executed',
  'skipped',
  'missed',
  'unschedulable',
  'failed',
  'succeeded',
]

export const passes = (record: OutcomeRecord, filter: OutcomeFilter): boolean => {
  if (filter === 'failed') return isFailed(record)
  if (filter === 'succeeded') return record.outcome === 'executed' && !isFailed(record)
  return record.outcome === filter
}

/** Newest first: the order of every list of outcomes, and what their cursors hold. */
export const newestFirst = (a: OutcomeRecord, b: OutcomeRecord): number =>
  compare(b.completedAt, a.completedAt) || compare(a.identity, b.identity) || compare(b.periodId, a.periodId)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
