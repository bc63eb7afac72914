import { setImmediate as macrotask } from 'node:timers/promises'
import type { Clock, Timer } from './clock.ts'
import { DueQueue } from './due-queue.ts'

export interface VirtualClockOptions {
  /** Wall time at the start, epoch milliseconds. */
  readonly now?: number
  /** How long a timer of this many milliseconds really takes: the way to make timers early or late. */
  readonly distort?: (milliseconds: number) => number
}

interface VirtualTimer {
  readonly slot: number
  readonly fire: () => void
}

/** A clock that stands still until it is told to move, so that years pass in milliseconds. */
export class VirtualClock implements Clock {
  readonly #timers = new DueQueue()
  readonly #slots: VirtualTimer[] = []
  readonly #free: number[] = []
  readonly #distort: (milliseconds: number) => number
  #elapsed = 0
  /** Wall time when `#elapsed` was 0, moved by jumps. */
  #origin: number

  constructor(options: VirtualClockOptions = {}) {
    this.#origin = options.now ?? 0
    this.#distort = options.distort ?? (milliseconds => milliseconds)
  }

  now(): number {
    return this.#origin + this.#elapsed
  }

  monotonic(): number {
    return this.#elapsed
  }

  setTimer(milliseconds: number, fire: () => void): Timer {
    const slot = this.#free.pop() ?? this.#slots.length
    const timer: VirtualTimer = { slot, fire }
    this.#slots[slot] = timer
    this.#timers.set(slot, this.#elapsed + Math.max(0, this.#distort(milliseconds)))
    return timer
  }

  clearTimer(timer: Timer): void {
    const { slot } = timer as VirtualTimer
    // A timer that has fired may have given its slot to another one.
    if (this.#slots[slot] === timer && this.#timers.remove(slot)) this.#free.push(slot)
  }

  get timerCount(): number {
    return this.#timers.size
  }

  /** Steps the wall clock, as an administrator or a suspend does: no timer comes nearer. */
  jump(milliseconds: number): void {
    this.#origin += milliseconds
  }

  /** Lets time pass up to the next timer and fires it; false if there is none before `limit` (monotonic). */
  step(limit = Number.POSITIVE_INFINITY): boolean {
    const next = this.#timers.nextAt()
    if (next === undefined || next > limit) return false
    this.#elapsed = Math.max(this.#elapsed, next)
    const slot = this.#timers.popDue(this.#elapsed)!
    const { fire } = this.#slots[slot]!
    this.#free.push(slot)
    fire()
    return true
  }

  /** Lets time pass, firing timers in order, without letting promises settle in between. */
  advance(milliseconds: number): void {
    const end = this.#elapsed + milliseconds
    while (this.step(end));
    this.#elapsed = end
  }

  /** Lets time pass, and after each timer lets everything that it set off settle. */
  async run(milliseconds: number, settle: () => Promise<unknown> = macrotask): Promise<void> {
    const end = this.#elapsed + milliseconds
    await settle()
    while (this.step(end)) await settle()
    this.#elapsed = end
    await settle()
  }
}
