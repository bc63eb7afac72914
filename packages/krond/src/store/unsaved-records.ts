import type { StateRecord } from '@kron/host'

const NONE: readonly StateRecord[] = []

/** The records of one job that are to be written into its file. */
export interface Unsaved {
  readonly identity: string
  readonly records: readonly StateRecord[]
  /** The first so many of the records leave the journal with the cut. */
  readonly cutOff: number
}

/** Every record that is in the journal, or on its way into it: those of each job in their order. */
export class UnsavedRecords {
  /** A single record is kept without a list: after the first start with a million jobs each has one. */
  readonly #byJob = new Map<string, StateRecord | StateRecord[]>()
  /** Those of them that are not durable yet. */
  readonly #pending = new Set<StateRecord>()

  get isEmpty(): boolean {
    return this.#byJob.size === 0
  }

  has(identity: string): boolean {
    return this.#byJob.has(identity)
  }

  of(identity: string): readonly StateRecord[] {
    const records = this.#byJob.get(identity)
    return records === undefined ? NONE : listOf(records)
  }

  all(): readonly StateRecord[] {
    return [...this.#byJob.values()].flat()
  }

  /** Adds a record that is durable. */
  add(record: StateRecord): void {
    const records = this.#byJob.get(record.Identity)
    if (Array.isArray(records)) records.push(record)
    else this.#byJob.set(record.Identity, records === undefined ? record : [records, record])
  }

  /** Adds a record that is on its way into the journal. */
  addPending(record: StateRecord): void {
    this.add(record)
    this.#pending.add(record)
  }

  becameDurable(record: StateRecord): void {
    this.#pending.delete(record)
  }

  /** The number of records of each job that a cut which begins now takes out of the journal, in the order of the jobs. */
  durableCounts(): Uint32Array {
    const counts = new Uint32Array(this.#byJob.size)
    let at = 0
    for (const records of this.#byJob.values()) {
      // Records become durable in their order.
      const firstPending =
        this.#pending.size === 0 ? -1 : listOf(records).findIndex(each => this.#pending.has(each))
      counts[at++] = firstPending < 0 ? countOf(records) : firstPending
    }
    return counts
  }

  /**
   * Yields the records to write during a cut, in batches of `jobs` jobs, because a list of a million jobs would be large.
   * `durableCounts` says how many records of each job the cut removes from the journal. A job that was added after the
   * counts comes last, and the cut removes none of its records.
   */
  *batches(durableCounts: Uint32Array, jobs: number): Generator<readonly Unsaved[]> {
    const identities = [...this.#byJob.keys()]
    const present = Uint32Array.from(this.#byJob.values(), countOf)
    for (let from = 0; from < identities.length; from += jobs)
      yield identities.slice(from, from + jobs).map((identity, i) => ({
        identity,
        records: this.of(identity).slice(0, present[from + i]),
        cutOff: durableCounts[from + i] ?? 0,
      }))
  }

  /** The files have the records. One that may still be in the journal after the cut stays known. */
  written(batch: readonly Unsaved[]): void {
    for (const { identity, cutOff } of batch) {
      const rest = this.of(identity).slice(cutOff)
      if (rest.length > 0) this.#byJob.set(identity, rest)
      else this.#byJob.delete(identity)
    }
  }
}

const listOf = (records: StateRecord | StateRecord[]): readonly StateRecord[] =>
  Array.isArray(records) ? records : [records]

const countOf = (records: StateRecord | StateRecord[]): number =>
  Array.isArray(records) ? records.length : 1
