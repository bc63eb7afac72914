export const OTHER_JOBS = '(other)'

/** The jobs that have series of their own: the first ones seen in the daemon's life. All other jobs share one. */
export class JobLabels {
  readonly #known = new Set<string>()
  readonly #most: number

  constructor(most = 1_000) {
    this.#most = most
  }

  of(identity: string): string {
    if (this.#known.has(identity)) return identity
    if (this.#known.size >= this.#most) return OTHER_JOBS
    this.#known.add(identity)
    return identity
  }
}
