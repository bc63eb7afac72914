import { get } from '../api/client.ts'
import type { OutcomePage, OutcomeRecord } from '../api/records.ts'

const AT_ONCE = 16
const RETRY = 2_000

/** The outcomes of the jobs on show: fetched when first needed, then updated by the feed. */
export class JobOutcomes {
  /** Whether any fetched outcome belongs to the made-up past of a demonstration. */
  hasExamples = false
  readonly #known = new Map<string, OutcomeRecord[]>()
  readonly #wanted = new Set<string>()
  /** Outcomes that the feed sent while jobs are being fetched: the answer may be older. */
  #recordsWhileLoading: OutcomeRecord[] | undefined
  /** How often everything was cleared: an answer to an older request is dropped. */
  #clears = 0
  readonly #changed: () => void

  constructor(changed: () => void) {
    this.#changed = changed
  }

  clear(): void {
    this.#known.clear()
    this.#clears++
  }

  of(identity: string): readonly OutcomeRecord[] {
    return this.#known.get(identity) ?? []
  }

  /** Requests the outcomes of these jobs only: rows that scrolled by are not worth a request. */
  want(identities: readonly string[]): void {
    this.#wanted.clear()
    for (const identity of identities) if (!this.#known.has(identity)) this.#wanted.add(identity)
    if (this.#recordsWhileLoading === undefined && this.#wanted.size > 0) void this.#fetch()
  }

  /** Adds an outcome that the feed has sent. */
  add(record: OutcomeRecord): void {
    this.#add(record)
    this.#recordsWhileLoading?.push(record)
  }

  #add(record: OutcomeRecord): void {
    const known = this.#known.get(record.identity)
    if (known !== undefined && !known.some(each => keyOf(each) === keyOf(record))) known.unshift(record)
  }

  async #fetch(): Promise<void> {
    while (this.#wanted.size > 0) {
      const job = [...this.#wanted].slice(0, AT_ONCE)
      for (const identity of job) this.#wanted.delete(identity)
      const clears = this.#clears
      this.#recordsWhileLoading = []
      const answer = await get<OutcomePage>('history', { job, limit: 2_000 }).catch(() => undefined)
      if (answer === undefined || clears !== this.#clears) {
        for (const identity of job) this.#wanted.add(identity)
        if (answer === undefined) await new Promise(resolve => setTimeout(resolve, RETRY))
        continue
      }
      this.hasExamples ||= answer.outcomes.some(each => each.example === true)
      for (const identity of job)
        this.#known.set(
          identity,
          answer.outcomes.filter(each => each.identity === identity),
        )
      for (const record of this.#recordsWhileLoading) this.#add(record)
      this.#changed()
    }
    this.#recordsWhileLoading = undefined
  }
}

/** A period has one outcome; a manual run is no period. */
const keyOf = ({ periodId, runId }: OutcomeRecord): string | null => periodId ?? runId
