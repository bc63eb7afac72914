import { findZone } from '@kron/core'
import { DueQueue } from '@kron/runtime'
import type { StartCause } from '../event.ts'
import { clampToClock } from '../task/clamp.ts'
import { dueAt, judge } from '../task/judge.ts'
import type { TaskTable } from '../task/task-table.ts'
import { Batch } from './batch.ts'
import type { ClockChange } from './clock-watch.ts'

/** The tasks that are neither running nor about to start, ordered by due time. */
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

  /**
   * Puts a task at its due time. An overdue task enters the queue at `now`. Its lateness counts from there, because the
   * queue did not delay it before.
   */
  put(slot: number, now: number): void {
    const due = dueAt(this.#table.times(slot), this.#table.occurrences(slot), now)
    this.#queue.set(slot, Math.max(due, now))
  }

  /** Puts a task at a given time, whether it is due then or not. */
  putAt(slot: number, at: number): void {
    this.#queue.set(slot, at)
  }

  /** Puts back a task that was taken but not started. */
  putBack(slot: number): void {
    this.#queue.set(slot, this.eligibleAt(slot))
  }

  /** The time at which a task that was taken could have started. All lateness after it is the scheduler's own. */
  eligibleAt(slot: number): number {
    return this.#queue.lastAt(slot)
  }

  /** Removes and returns the tasks that start now, at most `most`. */
  take(now: number, most: number): Batch {
    const slots = this.#queue.takeDue(now, most)
    const causes = new Array<StartCause>(slots.length)
    let starts = 0
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index]!
      const verdict = judge(this.#table.times(slot), this.#table.occurrences(slot), now)
      if (verdict.kind === 'wait') this.#queue.set(slot, verdict.until)
      else {
        slots[starts] = slot
        causes[starts++] = verdict.cause
      }
    }
    slots.length = starts
    return new Batch(now, slots, causes)
  }

  /** Reschedules after a clock change. Returns the slots whose stored records are no longer correct. */
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
