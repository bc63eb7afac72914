const FIRST = 100
const LONGEST = 30_000

/** The pause after a store failure. It starts at 100 ms and doubles each time, up to 30 s. */
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
