import { Alarm, type Clock, type ClockJump, DueQueue } from '@kron/runtime'

export interface TimersOptions {
  readonly clock: Clock
  /** Called with all keys due at one wake-up, and the whole second of the wake-up. */
  readonly onDue: (keys: readonly string[], now: number) => void
  readonly onJump: (jump: ClockJump) => void
}

/** The timers of all KronJobs: the next time at which each of them needs attention. One alarm of the runtime serves all. */
export class Timers {
  readonly #queue = new DueQueue()
  readonly #alarm: Alarm
  readonly #slots = new Map<string, number>()
  readonly #keys: string[] = []
  readonly #free: number[] = []
  readonly #options: TimersOptions

  constructor(options: TimersOptions) {
    this.#options = options
    const { clock, onJump } = options
    this.#alarm = new Alarm({ clock, onJump, onDue: now => this.#fire(now) })
  }

  get size(): number {
    return this.#queue.size
  }

  has(key: string): boolean {
    return this.#slots.has(key)
  }

  /** `at` is in whole epoch seconds. */
  set(key: string, at: number): void {
    let slot = this.#slots.get(key)
    if (slot === undefined) {
      slot = this.#free.pop() ?? this.#keys.length
      this.#slots.set(key, slot)
      this.#keys[slot] = key
    }
    this.#queue.set(slot, at * 1000)
    this.#arm()
  }

  remove(key: string): void {
    const slot = this.#slots.get(key)
    if (slot === undefined) return
    this.#queue.remove(slot)
    this.#slots.delete(key)
    this.#free.push(slot)
    this.#arm()
  }

  clear(): void {
    this.#queue.clear()
    this.#slots.clear()
    this.#keys.length = 0
    this.#free.length = 0
    this.#alarm.clear()
  }

  #fire(now: number): void {
    const due: string[] = []
    for (let slot = this.#queue.popDue(now); slot !== undefined; slot = this.#queue.popDue(now)) {
      const key = this.#keys[slot]!
      due.push(key)
      this.#free.push(slot)
      this.#slots.delete(key)
    }
    if (due.length > 0) this.#options.onDue(due, Math.floor(now / 1000))
    this.#arm()
  }

  #arm(): void {
    const at = this.#queue.nextAt()
    if (at === undefined) this.#alarm.clear()
    else this.#alarm.set(at)
  }
}
