/** A small fast generator: the same seed gives the same inputs. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) | 1
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    let state = this.#state
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    this.#state = state
    return Math.floor(((state >>> 0) / 4_294_967_296) * limit)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }
}
