/** Runs asynchronous work in order, one piece at a time. A piece that fails does not stop the next one. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  /** Resolves when all work that was queued before is over. */
  async idle(): Promise<void> {
    await this.#last
  }
}
