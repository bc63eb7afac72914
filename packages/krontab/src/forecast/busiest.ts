import type { Entry } from '@kron/host'

export interface BusyMinute {
  readonly minute: number
  readonly starts: number
  /** The first few of the jobs, in the order of the files. */
  readonly jobs: readonly string[]
}

const NAMES = 5

/** Counts starts by minute and remembers their jobs. */
export class Minutes {
  readonly #counts = new Map<number, number>()
  readonly #names = new Map<number, Entry[]>()

  add(entry: Entry, at: number): void {
    const minute = Math.floor(at / 60) * 60
    const count = this.#counts.get(minute) ?? 0
    this.#counts.set(minute, count + 1)
    if (count >= NAMES) return
    const known = this.#names.get(minute)
    if (known === undefined) this.#names.set(minute, [entry])
    else known.push(entry)
  }

  /** The minutes with the most starts; of equal ones, the earlier comes first. */
  busiest(most: number): BusyMinute[] {
    return [...this.#counts]
      .sort(([a, m], [b, n]) => n - m || a - b)
      .slice(0, most)
      .map(([minute, starts]) => ({
        minute,
        starts,
        jobs: (this.#names.get(minute) ?? []).map(each => each.name),
      }))
  }
}
