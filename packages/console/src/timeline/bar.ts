import type { OutcomeKind } from '@kron/core'
import type { OutcomeRecord } from '../api/records.ts'
import { secondsOf } from '../model/instant.ts'

/** An outcome on the time axis; one without an execution is a mark at the time it was chosen for. */
export interface Bar {
  readonly from: number
  readonly to: number
  readonly kind: OutcomeKind
  /** Of the made-up past of a demonstration: drawn pale. */
  readonly isExample?: boolean
}

const bars = new WeakMap<OutcomeRecord, Bar>()

/** Every frame asks for hundreds, and each would read three times from text: so each is made once. */
export function barOf(record: OutcomeRecord): Bar {
  const known = bars.get(record)
  if (known !== undefined) return known
  const bar = makeBar(record)
  bars.set(record, bar)
  return bar
}

function makeBar(record: OutcomeRecord): Bar {
  const chosen = secondsOf(record.chosenTime) ?? secondsOf(record.nominalTime) ?? 0
  const from = secondsOf(record.startedAt) ?? chosen
  const to = record.outcome === 'executed' ? (secondsOf(record.completedAt) ?? from) : from
  return { from, to: Math.max(from, to), kind: record.kind, isExample: record.example === true }
}

/** Whether something was executed: it is drawn as a bar, anything else as a diamond. */
export const ran = (kind: OutcomeKind): boolean =>
  kind !== 'skipped' && kind !== 'missed' && kind !== 'unschedulable'
