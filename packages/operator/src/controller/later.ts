interface Entry {
  readonly key: string
  /** The time of the key's next alarm, in epoch seconds. Infinite if it has none. */
  readonly due: number
}

/** Keys whose work may wait. The one whose alarm comes first goes first. */
export class Later {
  /** The first is at the end. */
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
    if (!this.#isSorted) this.#entries.sort((one, other) => (one.due < other.due ? 1 : -1))
    this.#isSorted = true
    return this.#entries.pop()?.key
  }

  clear(): void {
    this.#entries = []
    this.#isSorted = true
  }
}
