import type { Zone } from '@kron/core'
import { Occurrences } from '../cron/occurrences.ts'
import type { TaskList } from '../registration/parse.ts'
import type { Callback } from '../registration/registration.ts'
import { notBefore } from './clamp.ts'
import type { TaskTimes } from './judge.ts'
import type { TaskRecord } from './record.ts'
import type { TimeColumns } from './time-columns.ts'

/** One task of the columns, looked at without copying it. */
class TimesView implements TaskTimes {
  slot = 0
  readonly #times: TimeColumns

  constructor(times: TimeColumns) {
    this.#times = times
  }

  get firstSeenAt(): number {
    return this.#times.firstSeenAt[this.slot]!
  }

  get lastAttemptAt(): number | undefined {
    const at = this.#times.lastAttemptAt[this.slot]!
    return Number.isNaN(at) ? undefined : at
  }

  get pendingRetryUntil(): number | undefined {
    const at = this.#times.pendingRetryUntil[this.slot]!
    return Number.isNaN(at) ? undefined : at
  }

  get orphaned(): boolean {
    return this.#times.hasOwner(this.slot)
  }
}

/** All tasks of a scheduler: a slot each, in the order of the registrations. */
export class TaskTable {
  readonly #list: TaskList
  readonly #times: TimeColumns
  /** Of each cron of the list. */
  #occurrences: Occurrences[] = []
  readonly #view: TimesView

  constructor(list: TaskList, times: TimeColumns, zone: Zone) {
    this.#list = list
    this.#times = times
    this.#view = new TimesView(times)
    this.useZone(zone)
  }

  get size(): number {
    return this.#list.names.length
  }

  /** From now on the expressions speak of this zone's wall clock. */
  useZone(zone: Zone): void {
    this.#occurrences = this.#list.crons.map(({ cron }) => new Occurrences(cron, zone))
  }

  name(slot: number): string {
    return this.#list.names[slot]!
  }

  callback(slot: number): Callback {
    return this.#list.callbacks[slot]!
  }

  occurrences(slot: number): Occurrences {
    return this.#occurrences[this.#list.cronOf[slot]!]!
  }

  record(slot: number): TaskRecord {
    const { names, crons, cronOf, retryDelays } = this.#list
    return this.#times.read(slot, names[slot]!, crons[cronOf[slot]!]!.expression, retryDelays[slot]!)
  }

  amend(slot: number, record: TaskRecord): void {
    this.#times.write(slot, record)
  }

  /** The last instant at which a task is known to have been looked at. */
  latest(): number {
    const { firstSeenAt, lastAttemptAt } = this.#times
    let latest = Number.NEGATIVE_INFINITY
    for (let slot = 0; slot < this.size; slot++) {
      const reached = lastAttemptAt[slot]!
      latest = Math.max(latest, Number.isNaN(reached) ? firstSeenAt[slot]! : reached)
    }
    return latest
  }

  /** What decides about a task that is not running; valid until the next call. */
  times(slot: number): TaskTimes {
    this.#view.slot = slot
    return this.#view
  }

  /** The record of a task as it will be once it has started. */
  startedRecord(slot: number, at: number, owner: string): TaskRecord {
    const { name, cronExpression, retryDelayMs, firstSeenAt, lastSuccessAt, lastFailureAt } =
      this.record(slot)
    const lastAttemptAt = this.#attemptAt(slot, at)
    const record = { name, cronExpression, retryDelayMs, firstSeenAt, lastAttemptAt, runningBy: owner }
    if (lastSuccessAt === undefined && lastFailureAt === undefined) return record
    return {
      ...record,
      ...(lastSuccessAt !== undefined && { lastSuccessAt }),
      ...(lastFailureAt !== undefined && { lastFailureAt }),
    }
  }

  start(slot: number, at: number, owner: string): void {
    this.#times.lastAttemptAt[slot] = this.#attemptAt(slot, at)
    this.#times.pendingRetryUntil[slot] = Number.NaN
    this.#times.setOwner(slot, owner)
  }

  succeed(slot: number, at: number): void {
    this.#times.lastSuccessAt[slot] = at
    this.#times.setOwner(slot, undefined)
  }

  fail(slot: number, at: number): void {
    const retryAt = at + this.#list.retryDelays[slot]!
    this.#times.lastFailureAt[slot] = at
    this.#times.pendingRetryUntil[slot] = Math.min(retryAt, Number.MAX_SAFE_INTEGER)
    this.#times.setOwner(slot, undefined)
  }

  lastSuccessAt(slot: number): number {
    return this.#times.lastSuccessAt[slot]!
  }

  lastFailureAt(slot: number): number {
    return this.#times.lastFailureAt[slot]!
  }

  pendingRetryUntil(slot: number): number {
    return this.#times.pendingRetryUntil[slot]!
  }

  /** A clock set back a little must not make a minute that was served look unserved. */
  #attemptAt(slot: number, now: number): number {
    return notBefore(this.#times.lastAttemptAt[slot]!, now)
  }
}
