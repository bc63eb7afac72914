import { sha256 } from '@kron/core'

/** A seeded source of chance: a failing run is named by its seed and can be run again. */
export class Chance {
  #state: number

  constructor(seed: number | string) {
    this.#state = Number.parseInt(sha256(`simulation ${seed}`).slice(0, 8), 16)
  }

  /** In [0, 1): a 32-bit mixing counter is plenty for choosing faults. */
  next = (): number => {
    this.#state = (this.#state + 0x9e3779b9) | 0
    let z = this.#state
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
    return ((z ^ (z >>> 16)) >>> 0) / 2 ** 32
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  happens(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.between(0, from.length - 1)]!
  }
}
