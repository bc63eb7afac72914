import { decide, endOffset, lastStart, next, printInstant, triggerOf } from '@kron/core'
import type { Entry } from '@kron/host'

/** A period with its outcome, and the seconds between which it was decided. */
export interface Settled {
  readonly outcome: string
  readonly reason: string
  readonly earliest: number
  readonly latest: number
  readonly text: string
}

export interface Books {
  readonly entry: Entry
  readonly firstSeen: number
  readonly settled: ReadonlyMap<string, Settled>
  /** Periods that need no outcome yet, or are known to have been waited for. */
  readonly known: ReadonlySet<string>
  /** Periods up to here were checked before. */
  readonly after: number
}

/** Enough for everything that was decided in the same turn of the daemon to be in the books. */
const SETTLING = 30

/**
 * The periods that are over without an outcome and without a reason. A daemon that comes too late for several periods
 * names the latest as missed, so its first decision after a period has closed must do that.
 */
export function unexplained({ entry, firstSeen, settled, known, after }: Books): {
  readonly periods: readonly string[]
  readonly through: number
} {
  const { cron, zone, window, policy } = entry.schedule
  const decided = [...settled]
  const newest = decided.reduce(
    (most, [, { earliest }]) => Math.max(most, earliest),
    Number.NEGATIVE_INFINITY,
  )
  const periods: string[] = []
  let through = after
  for (let nominal = next(cron, zone, after); nominal !== undefined; nominal = next(cron, zone, nominal)) {
    const closes = lastStart(policy, nominal + endOffset(window))
    if (closes + SETTLING > newest) break
    through = nominal
    const period = printInstant(nominal)
    if (settled.has(period) || known.has(period)) continue
    if (triggerOf(decide(entry, nominal)) < firstSeen) continue
    const later = decided.filter(([, { earliest }]) => earliest > closes)
    const first = Math.min(...later.map(([, { latest }]) => latest))
    const named = later.some(([id, each]) => each.earliest <= first && id >= period && isNaming(each))
    if (!named) periods.push(period)
  }
  return { periods, through }
}

const isNaming = ({ outcome, reason }: Settled): boolean =>
  (outcome === 'missed' && reason === 'deadline') || outcome === 'unschedulable'
