import type { Entry } from '@kron/host'
import type { JobTable } from '../driver/job-table.ts'
import type { Work } from './slices.ts'

/** Finds jobs by identity; rebuilt in slices when the configuration has changed. */
export class JobIndex {
  readonly #jobs: JobTable
  #slots: ReadonlyMap<string, number> = new Map()
  #made = -1

  constructor(jobs: JobTable) {
    this.#jobs = jobs
  }

  *find(identity: string, configuration: number): Work<{ slot: number; entry: Entry } | undefined> {
    if (this.#made !== configuration) yield* this.#make(configuration)
    const slot = this.#slots.get(identity)
    const entry = slot === undefined ? undefined : this.#jobs.entry(slot)
    return entry?.identity === identity ? { slot: slot!, entry } : undefined
  }

  /** All jobs of a name, in any file. */
  *named(name: string, configuration: number): Work<readonly { slot: number; entry: Entry }[]> {
    if (this.#made !== configuration) yield* this.#make(configuration)
    const found: { slot: number; entry: Entry }[] = []
    let count = 0
    for (const [identity, slot] of this.#slots) {
      if (++count % 512 === 0) yield
      const entry = identity.endsWith(`:${name}`) ? this.#jobs.entry(slot) : undefined
      if (entry?.identity === identity) found.push({ slot, entry })
    }
    return found
  }

  *#make(configuration: number): Work<void> {
    const slots = new Map<string, number>()
    let count = 0
    for (const slot of this.#jobs.slots()) {
      slots.set(this.#jobs.entry(slot)!.identity, slot)
      if (++count % 512 === 0) yield
    }
    this.#slots = slots
    this.#made = configuration
  }
}
