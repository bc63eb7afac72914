const FIRST = 100
const LONGEST = 30_000

/** How long to leave a failing store alone: 100 ms, twice as long each time, at most 30 s. */
export class Backoff {
  #next = FIRST

  succeeded(): void {
    this.#next = FIRST
  }

  failed(): number {
    const delay = this.#next
    this.#next = Math.min(delay * 2, LONGEST)
    return delay
  }
}
