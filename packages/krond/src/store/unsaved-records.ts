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
  readonly #byJob = new Map<string, StateRecord[]>()
  /** Those of them that are not durable yet. */
  readonly #pending = new Set<StateRecord>()

  get isEmpty(): boolean {
    return this.#byJob.size === 0
  }

  has(identity: string): boolean {
    return this.#byJob.has(identity)
  }

  of(identity: string): readonly StateRecord[] {
    return this.#byJob.get(identity) ?? NONE
  }

  all(): readonly StateRecord[] {
    return [...this.#byJob.values()].flat()
  }

  /** Adds a record that is durable. */
  add(record: StateRecord): void {
    const records = this.#byJob.get(record.Identity)
    if (records === undefined) this.#byJob.set(record.Identity, [record])
    else records.push(record)
  }

  /** Adds a record that is on its way into the journal. */
  addPending(record: StateRecord): void {
    this.add(record)
    this.#pending.add(record)
  }

  becameDurable(record: StateRecord): void {
    this.#pending.delete(record)
  }

  /** For each job, the number of its records that a cut which begins now takes out of the journal. */
  durableCounts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const [identity, records] of this.#byJob) {
      // Records become durable in their order.
      const firstPending = this.#pending.size === 0 ? -1 : records.findIndex(each => this.#pending.has(each))
      counts.set(identity, firstPending < 0 ? records.length : firstPending)
    }
    return counts
  }

  /** The records to write during a cut, which takes so many records of each job out of the journal. */
  batch(durableCounts: ReadonlyMap<string, number>): readonly Unsaved[] {
    return Array.from(this.#byJob, ([identity, records]) => ({
      identity,
      records: [...records],
      cutOff: durableCounts.get(identity) ?? 0,
    }))
  }

  /** The files have the records. One that may still be in the journal after the cut stays known. */
  written(batch: readonly Unsaved[]): void {
    for (const { identity, cutOff } of batch) {
      const rest = this.#byJob.get(identity)!.slice(cutOff)
      if (rest.length > 0) this.#byJob.set(identity, rest)
      else this.#byJob.delete(identity)
    }
  }
}
