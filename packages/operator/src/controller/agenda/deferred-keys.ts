interface Entry {
  readonly key: string
  /** The time of the key's next timer, in epoch seconds. Infinite if it has none. */
  readonly due: number
}

/** Keys whose work may wait. The one whose timer comes first goes first. */
export class DeferredKeys {
  #entries: Entry[] = []
  #isSorted = true

  get size(): number {
    return this.#entries.length
  }

  add(key: string, due: number): void {
    this.#entries.push({ key, due })
    this.#isSorted = false
  }

  take(): string | undefined {
    if (!this.#isSorted) this.#entries.sort(byDue)
    this.#isSorted = true
    return this.#entries.shift()?.key
  }

  clear(): void {
    this.#entries = []
    this.#isSorted = true
  }
}

/** Infinite times have no difference. Keys with equal times stay in their order. */
const byDue = ({ due }: Entry, other: Entry): number => (due === other.due ? 0 : due < other.due ? -1 : 1)
