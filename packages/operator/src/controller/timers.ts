import { Alarm, type Clock, type ClockJump, DueQueue } from '@kron/runtime'

export interface TimersOptions {
  readonly clock: Clock
  /** All keys due at one wake-up, with the whole second at which it happened. */
  readonly onDue: (keys: readonly string[], now: number) => void
  readonly onJump: (jump: ClockJump) => void
}

/** One alarm for all KronJobs: when each of them next asks for attention. */
export class Timers {
  readonly #queue = new DueQueue()
  readonly #alarm: Alarm
  readonly #slots = new Map<string, number>()
  readonly #keys: string[] = []
  readonly #free: number[] = []
  readonly #onDue: TimersOptions['onDue']

  constructor({ clock, onDue, onJump }: TimersOptions) {
    this.#onDue = onDue
    this.#alarm = new Alarm({ clock, onJump, onDue: now => this.#fire(now) })
  }

  get size(): number {
    return this.#queue.size
  }

  /** `at` in whole epoch seconds. */
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
    const keys: string[] = []
    for (let slot = this.#queue.popDue(now); slot !== undefined; slot = this.#queue.popDue(now)) {
      keys.push(this.#keys[slot]!)
    }
    for (const key of keys) {
      this.#free.push(this.#slots.get(key)!)
      this.#slots.delete(key)
    }
    this.#onDue(keys, Math.floor(now / 1000))
    this.#arm()
  }

  #arm(): void {
    const at = this.#queue.nextAt()
    if (at === undefined) this.#alarm.clear()
    else this.#alarm.set(at)
  }
}
