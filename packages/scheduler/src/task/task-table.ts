import type { Zone } from '@kron/core'
import type { Occurrences } from '../cron/occurrences.ts'
import { identityOf, isSpread, occurrencesOf, type TaskSchedule } from '../cron/task-schedule.ts'
import { type StartCause, servesAgain } from '../event.ts'
import type { TaskList } from '../registration/parse.ts'
import type { Callback } from '../registration/registration.ts'
import { type Retry, retryAfter } from '../registration/retry-policy.ts'
import { neverBack } from './clamp.ts'
import type { TaskTimes } from './judge.ts'
import type { TaskRecord } from './record.ts'
import type { TimeColumns } from './time-columns.ts'

/** A view of one task in the columns, without a copy. */
class TimesView implements TaskTimes {
  slot = 0
  readonly #times: TimeColumns
  readonly #requested: ReadonlySet<number>

  constructor(times: TimeColumns, requested: ReadonlySet<number>) {
    this.#times = times
    this.#requested = requested
  }

  get firstSeenAt(): number {
    return this.#times.firstSeenAt[this.slot]!
  }

  get firstMinuteWaived(): boolean {
    return this.#times.firstMinuteWaived[this.slot] === 1
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

  get requested(): boolean {
    return this.#requested.size > 0 && this.#requested.has(this.slot)
  }
}

/** All tasks of a scheduler. Each has a slot, in registration order. */
export class TaskTable {
  readonly #list: TaskList
  readonly #times: TimeColumns
  /** The occurrences of each cron. Undefined if each task of the cron has its own second. */
  #occurrences: (Occurrences | undefined)[] = []
  /** The occurrences of tasks with their own seconds. */
  #own: Occurrences[] = []
  #zone: Zone
  /** The number of runs in a row that have served one occurrence. */
  readonly #attempts: Uint16Array
  readonly #requested = new Set<number>()
  /** Made by the first `find`: most programs never look for a task, and it takes 37 bytes per task. */
  #slotOf: Map<string, number> | undefined
  readonly #view: TimesView

  constructor(list: TaskList, times: TimeColumns, zone: Zone) {
    this.#list = list
    this.#times = times
    this.#view = new TimesView(times, this.#requested)
    this.#attempts = new Uint16Array(list.names.length)
    this.#zone = zone
    this.useZone(zone)
  }

  get size(): number {
    return this.#list.names.length
  }

  /** Switches the schedules to the wall clock of this zone. */
  useZone(zone: Zone): void {
    this.#zone = zone
    this.#own = []
    this.#occurrences = this.#list.crons.map(schedule =>
      isSpread(schedule) ? undefined : occurrencesOf(schedule, zone, ''),
    )
  }

  get zone(): Zone {
    return this.#zone
  }

  find(name: string): number | undefined {
    this.#slotOf ??= new Map(this.#list.names.map((each, slot) => [each, slot]))
    return this.#slotOf.get(name)
  }

  /** The identity that decides the task's seconds. */
  identity(slot: number): string {
    return identityOf(this.#list.rules, this.name(slot))
  }

  schedule(slot: number): TaskSchedule {
    return this.#list.crons[this.#list.cronOf[slot]!]!
  }

  retry(slot: number): Retry | undefined {
    return this.#list.retries.get(slot)
  }

  /** The number of runs that have served the same occurrence as the last run. */
  attempt(slot: number): number {
    return Math.max(this.#attempts[slot]!, this.#times.attempt[slot]!, 1)
  }

  /** Marks the task as requested, so that its next run need not be due. */
  request(slot: number): void {
    this.#requested.add(slot)
  }

  name(slot: number): string {
    return this.#list.names[slot]!
  }

  callback(slot: number): Callback {
    return this.#list.callbacks[slot]!
  }

  occurrences(slot: number): Occurrences {
    const shared = this.#occurrences[this.#list.cronOf[slot]!]
    if (shared !== undefined) return shared
    this.#own[slot] ??= occurrencesOf(this.schedule(slot), this.#zone, this.identity(slot))
    return this.#own[slot]
  }

  record(slot: number): TaskRecord {
    const { names, crons, cronOf, retryDelays } = this.#list
    return this.#times.read(slot, names[slot]!, crons[cronOf[slot]!]!.expression, retryDelays[slot]!)
  }

  amend(slot: number, record: TaskRecord): void {
    this.#times.write(slot, record)
  }

  /** The latest known instant of any task: its last start, or its first sight if it has not started. */
  latest(): number {
    const { firstSeenAt, lastAttemptAt } = this.#times
    let latest = Number.NEGATIVE_INFINITY
    for (let slot = 0; slot < this.size; slot++) {
      const reached = lastAttemptAt[slot]!
      latest = Math.max(latest, Number.isNaN(reached) ? firstSeenAt[slot]! : reached)
    }
    return latest
  }

  /** The facts that decide when an idle task starts. Valid until the next call. */
  times(slot: number): TaskTimes {
    this.#view.slot = slot
    return this.#view
  }

  /** The record of a task as it will be after its start. */
  startedRecord(slot: number, at: number, owner: string, cause: StartCause): TaskRecord {
    const { name, cronExpression, retryDelayMs, firstSeenAt, lastSuccessAt, lastFailureAt } =
      this.record(slot)
    const lastAttemptAt = this.#attemptAt(slot, at)
    const record = { name, cronExpression, retryDelayMs, firstSeenAt, lastAttemptAt, runningBy: owner }
    const attempt = this.#hasPolicy(slot) ? this.#nextAttempt(slot, cause) : 0
    if (lastSuccessAt === undefined && lastFailureAt === undefined && attempt === 0) return record
    return {
      ...record,
      ...(attempt > 0 && { attempt }),
      ...(lastSuccessAt !== undefined && { lastSuccessAt }),
      ...(lastFailureAt !== undefined && { lastFailureAt }),
    }
  }

  /** Returns the number of the attempt. */
  start(slot: number, at: number, owner: string, cause: StartCause): number {
    const attempt = this.#nextAttempt(slot, cause)
    this.#attempts[slot] = attempt
    this.#times.attempt[slot] = this.#hasPolicy(slot) ? attempt : 0
    if (this.#requested.size > 0) this.#requested.delete(slot)
    this.#times.lastAttemptAt[slot] = this.#attemptAt(slot, at)
    this.#times.firstMinuteWaived[slot] = 0
    this.#times.pendingRetryUntil[slot] = Number.NaN
    this.#times.setOwner(slot, owner)
    return attempt
  }

  succeed(slot: number, at: number): void {
    this.#times.lastSuccessAt[slot] = at
    this.#times.setOwner(slot, undefined)
  }

  fail(slot: number, at: number): void {
    const retry = this.retry(slot)
    const delay = retry === undefined ? this.#list.retryDelays[slot]! : retryAfter(retry, this.attempt(slot))
    this.#times.lastFailureAt[slot] = at
    this.#times.pendingRetryUntil[slot] =
      delay === undefined ? Number.NaN : Math.min(at + delay, Number.MAX_SAFE_INTEGER)
    this.#times.setOwner(slot, undefined)
  }

  lastSuccessAt(slot: number): number {
    return this.#times.lastSuccessAt[slot]!
  }

  lastFailureAt(slot: number): number {
    return this.#times.lastFailureAt[slot]!
  }

  pendingRetryUntil(slot: number): number | undefined {
    const at = this.#times.pendingRetryUntil[slot]!
    return Number.isNaN(at) ? undefined : at
  }

  #hasPolicy(slot: number): boolean {
    return this.#list.retries.size > 0 && this.#list.retries.has(slot)
  }

  /** A retry or the restart of an orphan serves the same occurrence as the previous run. */
  #nextAttempt(slot: number, cause: StartCause): number {
    return servesAgain(cause) ? Math.min(this.attempt(slot) + 1, 65_535) : 1
  }

  /** If the clock was set back a little, an occurrence that was already served must not become due again. */
  #attemptAt(slot: number, now: number): number {
    const last = this.#times.lastAttemptAt[slot]!
    return neverBack(Number.isNaN(last) ? this.#times.firstSeenAt[slot]! : last, now)
  }
}
