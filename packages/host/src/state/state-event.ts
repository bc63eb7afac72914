import { type Handled, type Outcome, printInstant } from '@kron/core'
import type { RunUsage } from './run-usage.ts'
import { type ActiveState, type HandledRecord, handledRecordOf, type ManualRun } from './state.ts'

/** The events that change a job's state. */
export type StateEvent =
  | { readonly kind: 'seen'; readonly firstSeen: string; readonly handled: HandledRecord }
  /** Swept periods are owed again: the clock was ahead, or a person asked for it. No other event undoes anything. */
  | {
      readonly kind: 'reopened'
      readonly at: string
      readonly firstSeen: string
      readonly handled: HandledRecord
      /** The periods whose outcomes a person asked to forget; their history entries no longer bind. */
      readonly forgotten?: readonly string[]
    }
  | { readonly kind: 'intended'; readonly execution: ActiveState }
  /** A person asked for a run now; its start is intended. */
  | { readonly kind: 'requested'; readonly run: ManualRun }
  /** A running process that the state did not know; its period is already handled. */
  | { readonly kind: 'adopted'; readonly execution: ActiveState }
  | { readonly kind: 'withdrawn'; readonly executionId: string; readonly at: string }
  | {
      readonly kind: 'started'
      readonly executionId: string
      readonly pid: number
      readonly processStart: number
      readonly shimPid?: number
      readonly startedAt: string
      readonly seedHash: string
      readonly handled: HandledRecord
      /** When the window and the deadline of the period are over. */
      readonly keepUntil?: string
    }
  | {
      readonly kind: 'finished'
      readonly executionId: string
      readonly completedAt: string
      readonly exitCode: number | null
      readonly signal?: string
      readonly reason?: string
      /** Measured by the shim. */
      readonly durationMs?: number
      readonly usage?: RunUsage
    }
  | {
      readonly kind: 'notExecuted'
      /** Several at once after a catch-up, the most recent last. */
      readonly periods: readonly NotExecuted[]
      readonly at: string
      readonly handled: HandledRecord
      /** When the windows and deadlines of the periods are over. */
      readonly keepUntil?: string
    }

export interface NotExecuted {
  readonly outcome: Exclude<Outcome, 'executed'>
  readonly periodId: string
  readonly chosenTime: string
  readonly reason: string
  readonly seedHash: string
}

/**
 * A cache of the `seen` events of one second (`firstSeen`), by watermark. When many jobs arrive together, most need an
 * equal event.
 */
const recent = { firstSeen: Number.NaN, events: new Map<number, StateEvent>() }
const MOST_RECENT = 1_000

/** The first event of a job. Jobs with equal watermarks that arrive in one second share it. */
export function seen(handled: Handled): StateEvent {
  const { through, above, firstSeen, ranges, swept } = handled
  if (above.length > 0 || ranges !== undefined || swept !== undefined) return firstEvent(handled)
  if (recent.firstSeen !== firstSeen || recent.events.size >= MOST_RECENT) recent.events.clear()
  recent.firstSeen = firstSeen
  const event = recent.events.get(through) ?? firstEvent(handled)
  recent.events.set(through, event)
  return event
}

const firstEvent = (handled: Handled): StateEvent => ({
  kind: 'seen',
  firstSeen: printInstant(handled.firstSeen),
  handled: handledRecordOf(handled),
})

/** One line of a state journal: the event that produced the job's state number `Seq`. */
export interface StateRecord {
  readonly Identity: string
  readonly Seq: number
  readonly Event: StateEvent
}
