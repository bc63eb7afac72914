import { createHash } from 'node:crypto'
import { OUTCOME_STYLES } from '@kron/core'
import type { NotifyEvent } from '@kron/host'
import type { OutcomeRecord } from '@kron/host/api'

/** An outcome that people may want to be notified of. */
export interface Notice {
  /** The same for every try, even by a later daemon, so that a receiver can detect repeats. */
  readonly key: string
  readonly event: NotifyEvent
  readonly record: OutcomeRecord
  /** The number of periods it stands for: periods that were missed together share one notice. */
  readonly count: number
  /** Epoch seconds. */
  readonly at: number
}

/** One key per job, period (or manual run) and event. */
export const keyOf = ({ identity, periodId, runId }: OutcomeRecord, event: NotifyEvent): string =>
  createHash('sha256')
    .update([identity, periodId ?? runId ?? '', event].join('\0'))
    .digest('hex')
    .slice(0, 32)

/** The requested events of an outcome. A run that timed out has also failed, but causes one event only. */
export function eventsOf(
  { kind, printedBytes }: OutcomeRecord,
  wanted: readonly NotifyEvent[],
  isRecovery: boolean,
): readonly NotifyEvent[] {
  const events: NotifyEvent[] = []
  const add = (event: NotifyEvent): void => {
    if (wanted.includes(event)) events.push(event)
  }
  if (kind === 'timed_out') add(wanted.includes('timed_out') ? 'timed_out' : 'failed')
  if (kind === 'failed' || kind === 'missed' || kind === 'unschedulable') add(kind)
  if (kind === 'succeeded' && isRecovery) add('recovered')
  if (events.length === 0 && (printedBytes ?? 0) > 0) add('output')
  return events
}

/** Whether the last of these runs is the first success after a failure. */
export function isRecovery(outcomes: readonly OutcomeRecord[], { runId, kind }: OutcomeRecord): boolean {
  if (kind !== 'succeeded') return false
  const runs = outcomes.filter(each => each.kind === 'succeeded' || OUTCOME_STYLES[each.kind].isFailure)
  const at = runs.findIndex(each => each.runId === runId)
  const before = runs[(at < 0 ? runs.length : at) - 1]
  return before !== undefined && OUTCOME_STYLES[before.kind].isFailure
}
