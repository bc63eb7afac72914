import {
  type Handled,
  isBeforeFirstSight,
  isHandled,
  next,
  parseInstant,
  printInstant,
  type Schedule,
} from '@kron/core'
import { activeOf, handledOf, type State } from './state.ts'

/** The consequences of resetting a job to an earlier time. */
export type ResetPlan =
  /** No period after the time is handled. */
  | { readonly kind: 'nothing' }
  /** Some of these periods were executed, or may have been. */
  | { readonly kind: 'refused'; readonly executed: readonly string[] }
  | { readonly kind: 'reset'; readonly handled: Handled; readonly forgotten: readonly string[] }

/** More periods than this are not named in a refusal. */
const MOST_NAMED = 5

/**
 * Every period after `to` becomes unhandled again, except those of running executions. Without `force` this is refused
 * if one of them was executed. A handled period that neither was passed over nor has an outcome in the history may
 * have been executed, too.
 */
export function planReset(state: State, schedule: Schedule, to: number, force: boolean): ResetPlan {
  const handled = handledOf(state)
  const active = new Set(activeOf(state).map(each => secondsOf(each.PeriodID)))
  const outcomes = state.History.filter(
    ({ PeriodID, Forgotten }) => Forgotten !== true && secondsOf(PeriodID) > to,
  )
  const harmless = new Set(
    outcomes.filter(each => each.Outcome !== 'executed').map(each => secondsOf(each.PeriodID)),
  )
  const last = lastOf(handled)
  const isOpen = to >= last && to >= handled.firstSeen
  if (isOpen && !outcomes.some(each => !active.has(secondsOf(each.PeriodID)))) return { kind: 'nothing' }
  if (!force) {
    const executed: number[] = []
    for (const nominal of handledAfter(handled, schedule, to)) {
      if (harmless.has(nominal) || active.has(nominal)) continue
      executed.push(nominal)
      if (executed.length === MOST_NAMED) break
    }
    if (executed.length > 0) return { kind: 'refused', executed: executed.map(printInstant) }
  }
  const started = activeOf(state).filter(each => each.StartedAt !== '')
  const above = [
    ...handled.above.filter(each => each <= to),
    ...started.map(each => secondsOf(each.PeriodID)).filter(each => each > Math.min(handled.through, to)),
  ]
  const swept = clipped(handled.swept, to)
  const ranges = clipped(handled.ranges, to)
  return {
    kind: 'reset',
    handled: {
      through: Math.min(handled.through, to),
      above: [...new Set(above)].sort((a, b) => a - b),
      firstSeen: Math.min(handled.firstSeen, to),
      ...(ranges.length > 0 && { ranges }),
      ...(swept.length > 0 && { swept }),
    },
    forgotten: outcomes.map(each => each.PeriodID).filter(each => !active.has(secondsOf(each))),
  }
}

/**
 * The nominal times after `to` that are handled and were not merely passed over, ascending. Those from before the first
 * sight are among them: an earlier state of the job may have had them executed.
 */
function* handledAfter(handled: Handled, { cron, zone }: Schedule, to: number): Generator<number> {
  const { through, above, ranges = [] } = handled
  const swept = (handled.swept ?? []).filter(range => !isBeforeFirstSight(range))
  const all = new Set(above.filter(each => each > to))
  const isSwept = (nominal: number): boolean =>
    swept.some(range => nominal > range.after && nominal <= range.through)
  const last = lastOf(handled)
  let at = to
  for (;;) {
    const nominal = next(cron, zone, at)
    if (nominal === undefined || nominal > last) break
    at = nominal
    const passed = swept.find(range => nominal > range.after && nominal <= range.through)
    if (passed !== undefined) at = Math.max(nominal, passed.through)
    else if (isHandled(handled, nominal)) {
      all.delete(nominal)
      yield nominal
    } else {
      // Only handled stretches are looked at: the open ones may be years long.
      const later = [...above, ...ranges.map(each => each.after + 1), through].filter(each => each > nominal)
      at = later.length === 0 ? last : Math.max(nominal, Math.min(...later) - 1)
    }
  }
  // Periods of an earlier definition of the job.
  for (const nominal of all) if (!isSwept(nominal)) yield nominal
}

const lastOf = ({ through, above, ranges = [] }: Handled): number =>
  Math.max(through, ...above, ...ranges.map(each => each.through))

const clipped = (ranges: Handled['ranges'] = [], to: number): NonNullable<Handled['ranges']> =>
  ranges
    .filter(({ after }) => after < to)
    .map(({ after, through }) => ({ after, through: Math.min(through, to) }))

function secondsOf(time: string): number {
  const instant = parseInstant(time)
  return instant.ok ? instant.value : 0
}
