import { findZone } from '@kron/core'
import { DueQueue } from '@kron/runtime'
import { clampToClock } from '../task/clamp.ts'
import { dueAt, judge } from '../task/judge.ts'
import type { TaskTable } from '../task/task-table.ts'
import { Batch } from './batch.ts'
import type { ClockChange } from './clock-watch.ts'

/** The tasks that are neither running nor about to, by when they are due. */
export class Agenda {
  readonly #table: TaskTable
  readonly #queue: DueQueue

  constructor(table: TaskTable) {
    this.#table = table
    this.#queue = new DueQueue(table.size)
  }

  has(slot: number): boolean {
    return this.#queue.has(slot)
  }

  nextAt(): number | undefined {
    return this.#queue.nextAt()
  }

  putAll(now: number): void {
    for (let slot = 0; slot < this.#table.size; slot++) this.put(slot, now)
  }

  /** A task that is overdue is eligible from now on, not earlier: nobody else could have started it. */
  put(slot: number, now: number): void {
    const due = dueAt(this.#table.times(slot), this.#table.occurrences(slot), now)
    this.#queue.set(slot, Math.max(due, now))
  }

  putBack(slot: number, eligibleAt: number): void {
    this.#queue.set(slot, eligibleAt)
  }

  /** Takes out what starts now, at most so many. */
  take(now: number, most: number): Batch {
    const batch = new Batch(now)
    this.#queue.takeDue(now, most, (slot, eligibleAt) => {
      const verdict = judge(this.#table.times(slot), this.#table.occurrences(slot), now)
      if (verdict.kind === 'wait') this.#queue.set(slot, verdict.until)
      else batch.addStart(slot, verdict.cause, eligibleAt)
    })
    return batch
  }

  /** Plans anew after something has happened to the clock; returns the slots whose records it has made untrue. */
  follow({ zone: name, setBack }: ClockChange, now: number): number[] {
    const zone = findZone(name)
    if (zone !== undefined) this.#table.useZone(zone)
    const amended = setBack ? this.#forgetAhead(now) : []
    for (let slot = 0; slot < this.#table.size; slot++) if (this.has(slot)) this.put(slot, now)
    return amended
  }

  #forgetAhead(now: number): number[] {
    const amended: number[] = []
    for (let slot = 0; slot < this.#table.size; slot++) {
      const clamped = clampToClock(this.#table.record(slot), now)
      if (clamped === undefined) continue
      this.#table.amend(slot, clamped)
      amended.push(slot)
    }
    return amended
  }
}
