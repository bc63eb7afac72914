import type { OutcomeKind } from '@kron/core'
import type { OutcomeRecord } from './outcome-record.ts'

/** A job whose latest outcomes are troubles. */
export interface Problem {
  /** The worst of them. */
  readonly kind: OutcomeKind
  readonly count: number
  /** When the first of these outcomes ended. */
  readonly since: string
  readonly last: OutcomeRecord
}

/** Worst first. All other kinds are no troubles. */
const TROUBLES: readonly OutcomeKind[] = ['failed', 'timed_out', 'unknown', 'unschedulable', 'missed']
const MOST_JOBS = 10_000

/** The troubles of each job since its last success, in bounded memory. */
export class Problems {
  readonly #byJob = new Map<string, Problem>()

  learn(record: OutcomeRecord): void {
    const { identity, kind } = record
    const before = this.#byJob.get(identity)
    if (kind === 'succeeded' || (kind === 'replaced' && !hasRun(before))) this.#byJob.delete(identity)
    if (!TROUBLES.includes(kind)) return
    if (before === undefined && this.#byJob.size >= MOST_JOBS) return
    this.#byJob.set(identity, {
      kind: before === undefined ? kind : worse(before.kind, kind),
      count: (before?.count ?? 0) + 1,
      since: before?.since ?? record.completedAt,
      last: record,
    })
  }

  /** Worst first, then the latest. */
  list(): readonly Problem[] {
    return [...this.#byJob.values()].sort(
      (a, b) => rankOf(a.kind) - rankOf(b.kind) || (a.last.completedAt < b.last.completedAt ? 1 : -1),
    )
  }
}

/** Whether the trouble is that of a run. A replaced run clears any other trouble: it shows that the job starts. */
const hasRun = (problem: Problem | undefined): boolean =>
  problem !== undefined && problem.kind !== 'missed' && problem.kind !== 'unschedulable'

const rankOf = (kind: OutcomeKind): number => TROUBLES.indexOf(kind)

const worse = (a: OutcomeKind, b: OutcomeKind): OutcomeKind => (rankOf(a) <= rankOf(b) ? a : b)
