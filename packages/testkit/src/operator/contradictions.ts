import { jobNameOf } from '../../../operator/src/plan/names.ts'
import { inWords, Once } from '../once/once.ts'

/** A line of a replica's log about one period. */
export interface LoggedPeriod {
  readonly event: string
  /** The name of the KronJob. */
  readonly name: string
  readonly periodId: string
  readonly reason: string
  readonly outcome?: string
}

/** A status that names the outcome of a period. */
export interface ToldOutcome {
  readonly name: string
  readonly periodId: string
  readonly outcome: string
}

export interface Facts {
  /** The UIDs of all Jobs that a watch has seen, by Job name. */
  readonly seen: ReadonlyMap<string, ReadonlySet<string>>
  /** The number of creations that the API server granted, by Job name, from its audit log. */
  readonly granted: ReadonlyMap<string, number>
  readonly logged: readonly LoggedPeriod[]
  readonly told: readonly ToldOutcome[]
}

const OUTCOMES = ['executed', 'missed', 'skipped', 'unschedulable']

/**
 * The contradictions in what really happened, found by the one at-most-once checker. A period is named by its Job.
 * Watch and audit log tell of the same Jobs, and either may lack some: a watch when it is cut, the audit log when the
 * API server is killed.
 */
export function contradictionsIn({ seen, granted, logged, told }: Facts): string[] {
  const once = new Once()
  for (const jobName of new Set([...seen.keys(), ...granted.keys()])) {
    const uids = [...(seen.get(jobName) ?? [])]
    const count = Math.max(uids.length, granted.get(jobName) ?? 0)
    for (let i = 0; i < count; i++) once.ran(jobName, uids[i] ?? `creation ${i + 1} in the audit log`)
  }
  for (const { event, name, periodId } of logged)
    if (OUTCOMES.includes(event)) once.outcome(jobNameOf(name, periodId), event, 'a log')
  for (const { name, periodId, outcome } of told) once.outcome(jobNameOf(name, periodId), outcome, 'a status')
  return once.contradictions.map(inWords)
}
