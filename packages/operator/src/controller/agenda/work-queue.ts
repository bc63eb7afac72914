import { DeferredKeys } from './deferred-keys.ts'

/** The reason for working on a key. Reasons of one key are merged until the work has succeeded. */
export interface Reason {
  /** The second of the timer that woke the key, if a timer did. A start waits for this work then. */
  readonly wokenAt?: number
  /** Whether periods may have passed unseen. */
  readonly catchUp?: boolean
  /**
   * The time for which the key's timer is set, in epoch seconds (infinite if it needs none, or if the work has failed).
   * Everything that is left to do may then wait until other keys have their timer.
   */
  readonly timerAt?: number
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

/** While starts wait, there are so many times more workers, so that the starts of one second come soon. */
const WITH_STARTS = 3
/** The number of workers for other keys while starts are in progress. */
const BESIDE_STARTS = 2
/** The number of workers for keys that may wait. They leave the server room for starts that come meanwhile. */
const FOR_DEFERRED = 4

/** The earliest wake-up counts, so that waiting in this queue does not make a start late. */
function merge(one: Reason, other: Reason): Reason {
  const woken = Math.min(one.wokenAt ?? Number.POSITIVE_INFINITY, other.wokenAt ?? Number.POSITIVE_INFINITY)
  return {
    ...(woken < Number.POSITIVE_INFINITY && { wokenAt: woken }),
    ...((one.catchUp || other.catchUp) && { catchUp: true }),
    // After any other event, the timer may be wrong.
    ...(one.timerAt !== undefined && other.timerAt !== undefined && { timerAt: other.timerAt }),
  }
}

/** The order in which keys get a worker. */
const Rank = { start: 0, ordinary: 1, deferred: 2 } as const

const rankOf = ({ wokenAt, timerAt }: Reason): number =>
  wokenAt !== undefined ? Rank.start : timerAt === undefined ? Rank.ordinary : Rank.deferred

/**
 * Keys that wait for work. Starts go first, keys with a timer go last, and a key is never worked on twice at the same
 * time.
 */
export class WorkQueue {
  readonly #work: WorkQueueOptions['work']
  readonly #workers: number
  readonly #items = new Map<string, Item>()
  #starts: string[] = []
  #ordinary: string[] = []
  readonly #deferred = new DeferredKeys()
  #busy = 0
  #starting = 0
  /** The number of workers on keys that may wait. */
  #onDeferred = 0
  #idle: (() => void)[] = []
  #calm: (() => void)[] = []

  constructor({ work, workers = 32 }: WorkQueueOptions) {
    this.#work = work
    this.#workers = workers
  }

  get depth(): number {
    return this.#starts.length + this.#ordinary.length + this.#deferred.size
  }

  /** Resolves when no key waits for a worker. */
  calm(): Promise<void> {
    return this.depth === 0 ? Promise.resolve() : new Promise(done => this.#calm.push(done))
  }

  add(key: string, reason: Reason = {}): void {
    const item = this.#items.get(key)
    if (item?.running) {
      item.again = item.again === undefined ? reason : merge(item.again, reason)
      return
    }
    const all = item === undefined ? reason : merge(item.reason, reason)
    this.#items.set(key, { reason: all, running: false, again: undefined })
    if (item === undefined || rankOf(all) < rankOf(item.reason)) this.#enlist(key, all)
    this.#pump()
  }

  /** Drops all waiting keys. Resolves when the work in progress is done. */
  async clear(): Promise<void> {
    for (const [key, item] of this.#items) {
      if (item.running) item.again = undefined
      else this.#items.delete(key)
    }
    this.#starts = []
    this.#ordinary = []
    this.#deferred.clear()
    for (const done of this.#calm.splice(0)) done()
    if (this.#busy > 0) await new Promise<void>(done => this.#idle.push(done))
  }

  #enlist(key: string, { wokenAt, timerAt }: Reason): void {
    if (wokenAt !== undefined) this.#starts.push(key)
    else if (timerAt === undefined) this.#ordinary.push(key)
    else this.#deferred.add(key, timerAt)
  }

  #pump(): void {
    for (;;) {
      const key = this.#next()
      if (key === undefined) return
      const item = this.#items.get(key)
      // A key that became more important is in several lists.
      if (item === undefined || item.running) continue
      item.running = true
      this.#count(item.reason, 1)
      void this.#run(key, item)
    }
  }

  #next(): string | undefined {
    if (this.#busy < WITH_STARTS * this.#workers && this.#starts.length > 0) return this.#starts.shift()
    return this.#nextOrdinary() ?? this.#nextDeferred()
  }

  /** While starts are in progress, other keys continue with few workers, so that starts get the server first. */
  #nextOrdinary(): string | undefined {
    const others = this.#busy - this.#starting
    const most = this.#starting > 0 ? BESIDE_STARTS : this.#workers
    return others < most ? this.#ordinary.shift() : undefined
  }

  #nextDeferred(): string | undefined {
    if (this.#ordinary.length > 0 || this.#busy >= this.#workers) return undefined
    const most = this.#starting > 0 ? 1 : FOR_DEFERRED
    return this.#onDeferred < most ? this.#deferred.take() : undefined
  }

  #count(reason: Reason, by: 1 | -1): void {
    this.#busy += by
    const rank = rankOf(reason)
    if (rank === Rank.start) this.#starting += by
    if (rank === Rank.deferred) this.#onDeferred += by
  }

  async #run(key: string, item: Item): Promise<void> {
    // Lets timers and responses run in between, even with many keys.
    await new Promise(resolve => setImmediate(resolve))
    try {
      await this.#work(key, item.reason)
    } finally {
      this.#count(item.reason, -1)
      this.#items.delete(key)
      if (item.again !== undefined) this.add(key, item.again)
      this.#pump()
      if (this.depth === 0) for (const done of this.#calm.splice(0)) done()
      if (this.#busy === 0) for (const done of this.#idle.splice(0)) done()
    }
  }
}
