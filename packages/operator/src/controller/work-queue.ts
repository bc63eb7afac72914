/** The reason for working on a key. Reasons of one key are merged until the work has succeeded. */
export interface Reason {
  /** The second of the alarm that woke the key, if an alarm did. */
  readonly wokenAt?: number
  /** Whether a start waits for this work. */
  readonly urgent?: boolean
  readonly catchUp?: boolean
}

interface Item {
  reason: Reason
  running: boolean
  /** Reasons that arrived while the key was being worked on. */
  again: Reason | undefined
}

export interface WorkQueueOptions {
  readonly work: (key: string, reason: Reason) => Promise<void>
  readonly workers?: number
}

/** The number of workers for other keys while starts are in progress. */
const BESIDE_STARTS = 2

/** The earliest wake-up counts, so that waiting in this queue does not make a start late. */
function merge(one: Reason, other: Reason): Reason {
  const woken = Math.min(one.wokenAt ?? Number.POSITIVE_INFINITY, other.wokenAt ?? Number.POSITIVE_INFINITY)
  return {
    ...(woken < Number.POSITIVE_INFINITY && { wokenAt: woken }),
    ...((one.urgent || other.urgent) && { urgent: true }),
    ...((one.catchUp || other.catchUp) && { catchUp: true }),
  }
}

/** Keys that wait for work. Starts go first, and a key is never worked on twice at the same time. */
export class WorkQueue {
  readonly #work: WorkQueueOptions['work']
  readonly #workers: number
  readonly #items = new Map<string, Item>()
  #urgent: string[] = []
  #ordinary: string[] = []
  #busy = 0
  #starting = 0
  #idle: (() => void)[] = []
  #calm: (() => void)[] = []

  constructor({ work, workers = 32 }: WorkQueueOptions) {
    this.#work = work
    this.#workers = workers
  }

  get depth(): number {
    return this.#urgent.length + this.#ordinary.length
  }

  /** Whether other starts are waiting or in progress. For use by a start that is itself in progress. */
  get pressed(): boolean {
    return this.#urgent.length > 0 || this.#starting > 1
  }

  /** Resolves when no key waits for a worker. */
  calm(): Promise<void> {
    return this.depth === 0 ? Promise.resolve() : new Promise(done => this.#calm.push(done))
  }

  add(key: string, reason: Reason = {}): void {
    const item = this.#items.get(key)
    if (item?.running) {
      item.again = merge(item.again ?? {}, reason)
      return
    }
    if (item === undefined) {
      this.#items.set(key, { reason, running: false, again: undefined })
      this.#list(reason).push(key)
    } else {
      if (reason.urgent && !item.reason.urgent) this.#urgent.push(key)
      item.reason = merge(item.reason, reason)
    }
    this.#pump()
  }

  /** Drops all waiting keys. Resolves when the work in progress is done. */
  async clear(): Promise<void> {
    for (const [key, item] of this.#items) {
      if (item.running) item.again = undefined
      else this.#items.delete(key)
    }
    this.#urgent = []
    this.#ordinary = []
    for (const done of this.#calm.splice(0)) done()
    if (this.#busy > 0) await new Promise<void>(done => this.#idle.push(done))
  }

  #list = ({ urgent }: Reason): string[] => (urgent ? this.#urgent : this.#ordinary)

  #pump(): void {
    while (this.#busy < this.#workers) {
      const key = this.#urgent.shift() ?? this.#nextOrdinary()
      if (key === undefined) return
      const item = this.#items.get(key)
      // A key that became urgent is in both lists.
      if (item === undefined || item.running) continue
      item.running = true
      this.#busy++
      if (item.reason.urgent) this.#starting++
      void this.#run(key, item)
    }
  }

  /** While starts are in progress, other keys continue with few workers, so that starts get the server first. */
  #nextOrdinary(): string | undefined {
    const crowded = this.#starting > 0 && this.#busy - this.#starting >= BESIDE_STARTS
    return crowded ? undefined : this.#ordinary.shift()
  }

  async #run(key: string, item: Item): Promise<void> {
    // Lets timers and responses run in between, even with many keys.
    await new Promise(resolve => setImmediate(resolve))
    try {
      await this.#work(key, item.reason)
    } finally {
      this.#busy--
      if (item.reason.urgent) this.#starting--
      this.#items.delete(key)
      if (item.again !== undefined) this.add(key, item.again)
      this.#pump()
      if (this.depth === 0) for (const done of this.#calm.splice(0)) done()
      if (this.#busy === 0) for (const done of this.#idle.splice(0)) done()
    }
  }
}
