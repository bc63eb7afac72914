import type { Zone } from '@kron/core'
import { Occurrences } from '../cron/occurrences.ts'
import type { SharedCron, TaskList } from '../registration/parse.ts'
import type { Callback } from '../registration/registration.ts'
import { notBefore } from './clamp.ts'
import type { TaskTimes } from './judge.ts'
import type { TaskRecord } from './record.ts'
import type { RecordColumns } from './record-columns.ts'

/** All tasks of a scheduler: a slot each, in the order of the registrations. */
export class TaskTable {
  readonly size: number
  readonly records: RecordColumns
  readonly #callbacks: readonly Callback[]
  readonly #crons: readonly SharedCron[]
  #occurrences: Occurrences[] = []

  constructor(list: TaskList, records: RecordColumns, zone: Zone) {
    this.size = list.names.length
    this.records = records
    this.#callbacks = list.callbacks
    this.#crons = list.crons
    this.useZone(zone)
  }

  /** From now on the expressions speak of this zone's wall clock. */
  useZone(zone: Zone): void {
    const shared = new Map<SharedCron, Occurrences>()
    this.#occurrences = this.#crons.map(cron => {
      const known = shared.get(cron) ?? new Occurrences(cron.cron, zone)
      shared.set(cron, known)
      return known
    })
  }

  name(slot: number): string {
    return this.records.names[slot]!
  }

  callback(slot: number): Callback {
    return this.#callbacks[slot]!
  }

  occurrences(slot: number): Occurrences {
    return this.#occurrences[slot]!
  }

  /** The last instant at which a task is known to have been looked at. */
  latest(): number {
    const { firstSeenAt, lastAttemptAt } = this.records
    let latest = Number.NEGATIVE_INFINITY
    for (let slot = 0; slot < this.size; slot++) {
      const reached = lastAttemptAt[slot]!
      latest = Math.max(latest, Number.isNaN(reached) ? firstSeenAt[slot]! : reached)
    }
    return latest
  }

  /** What decides about a task that is not running. */
  times(slot: number): TaskTimes {
    const { firstSeenAt, lastAttemptAt, pendingRetryUntil, owners } = this.records
    const attempt = lastAttemptAt[slot]!
    const retry = pendingRetryUntil[slot]!
    return {
      firstSeenAt: firstSeenAt[slot]!,
      lastAttemptAt: Number.isNaN(attempt) ? undefined : attempt,
      pendingRetryUntil: Number.isNaN(retry) ? undefined : retry,
      orphaned: owners.has(slot),
    }
  }

  /** The record of a task as it will be once it has started. */
  startedRecord(slot: number, at: number, owner: string): TaskRecord {
    const { pendingRetryUntil: _, ...record } = this.records.read(slot)
    return { ...record, lastAttemptAt: this.#attemptAt(slot, at), runningBy: owner }
  }

  start(slot: number, at: number, owner: string): void {
    this.records.lastAttemptAt[slot] = this.#attemptAt(slot, at)
    this.records.pendingRetryUntil[slot] = Number.NaN
    this.records.owners.set(slot, owner)
  }

  succeed(slot: number, at: number): void {
    this.records.lastSuccessAt[slot] = at
    this.records.owners.delete(slot)
  }

  /** Returns the instant from which the task may be retried. */
  fail(slot: number, at: number): number {
    const retryAt = Math.min(at + this.records.retryDelayMs[slot]!, Number.MAX_SAFE_INTEGER)
    this.records.lastFailureAt[slot] = at
    this.records.pendingRetryUntil[slot] = retryAt
    this.records.owners.delete(slot)
    return retryAt
  }

  /** A clock set back a little must not make a minute that was served look unserved. */
  #attemptAt(slot: number, now: number): number {
    return notBefore(this.records.lastAttemptAt[slot]!, now)
  }
}
