import type { JobStatistics } from '@kron/host/api'
import { isFailed, type OutcomeRecord } from './outcome-record.ts'

/** As many results as fit in one number. */
const MOST_RUNS = 32
const MOST_DURATIONS = 12
const MOST_JOBS = 10_000

interface Recent {
  runs: number
  /** One bit per run, the latest in the lowest bit; set if it succeeded. */
  results: number
  readonly durationsMs: number[]
}

/** How the latest runs of each job ended and how long they took, in bounded memory. */
export class RecentRuns {
  readonly #byJob = new Map<string, Recent>()

  learn(record: OutcomeRecord): void {
    const succeeded = record.kind === 'succeeded'
    if (!succeeded && !isFailed(record)) return
    const recent = this.#of(record.identity)
    if (recent === undefined) return
    recent.runs = Math.min(MOST_RUNS, recent.runs + 1)
    recent.results = ((recent.results << 1) | (succeeded ? 1 : 0)) >>> 0
    if (record.durationMs === null) return
    recent.durationsMs.push(record.durationMs)
    if (recent.durationsMs.length > MOST_DURATIONS) recent.durationsMs.shift()
  }

  get(identity: string): JobStatistics | null {
    const recent = this.#byJob.get(identity)
    if (recent === undefined) return null
    const { runs, durationsMs } = recent
    const counted = runs === MOST_RUNS ? recent.results : recent.results & (2 ** runs - 1)
    return { runs, succeeded: bitsIn(counted), durationsMs: [...durationsMs] }
  }

  #of(identity: string): Recent | undefined {
    const known = this.#byJob.get(identity)
    if (known !== undefined || this.#byJob.size >= MOST_JOBS) return known
    const fresh = { runs: 0, results: 0, durationsMs: [] }
    this.#byJob.set(identity, fresh)
    return fresh
  }
}

const bitsIn = (value: number): number => (value >>> 0).toString(2).replaceAll('0', '').length
