import type { Occurrences } from '../cron/occurrences.ts'
import { type Retry, retryAfter } from '../registration/retry-policy.ts'
import { FARTHEST_AHEAD, notBefore } from '../task/clamp.ts'

/** The state of one task, derived from the events so far. */
export class TaskHistory {
  running = false
  retryDelayMs = 0
  retry: Retry | undefined
  /** The number of runs that have served the last Due. */
  #attempt = 0
  #requestedAt: number | undefined
  /** The position of the event at which the task last stopped running. */
  idlePosition: number
  /** The Due of the last run, and the last Due that was served with success. */
  #servedDue: number | undefined
  #succeededDue: number | undefined
  /** The last start. Before the first start, the time when the task first appeared. */
  #base: number
  #started = false
  #bootDue = false
  #orphaned: number | undefined
  #retryAt: number | undefined
  /** The time since which the task is idle. */
  #idleSince: number
  #occurrences: Occurrences

  /** Creates the history of a task that appears for the first time. */
  constructor(occurrences: Occurrences, at: number, position: number) {
    this.idlePosition = position
    this.#occurrences = occurrences
    this.#base = at
    this.#idleSince = at
    this.#bootDue = this.#occurrences.holds(at)
  }

  /** Replaces the schedule of the task. */
  reschedule(occurrences: Occurrences): void {
    this.#occurrences = occurrences
    this.#bootDue &&= this.#occurrences.holds(this.#base)
  }

  /** The time since which the task has been pending at this instant. Undefined if it is not pending. */
  pendingSince(at: number): number | undefined {
    if (this.running) return undefined
    const due = this.#dueAfterBase(at)
    const reasons = [
      this.#bootDue && this.#base >= at - this.#occurrences.deadlineMs ? this.#base : undefined,
      this.#requestedAt,
      this.#orphaned,
      due <= at ? due : undefined,
      this.#retryAt !== undefined && this.#retryAt <= at ? this.#retryAt : undefined,
    ].filter(reason => reason !== undefined)
    return reasons.length === 0 ? undefined : Math.max(Math.min(...reasons), this.#idleSince)
  }

  start(at: number): void {
    this.running = true
    this.#started = true
    // A run without a new occurrence is a retry or an orphan's restart, and serves the previous occurrence.
    const due = this.#bootDue || this.#dueAfterBase(at) <= at
    const again = this.#orphaned !== undefined || (this.#retryAt !== undefined && this.#retryAt <= at)
    this.#attempt = !due && again ? this.#attempt + 1 : 1
    if (due) this.#servedDue = this.#occurrences.last(at)
    // A requested run serves only the request.
    else if (!again) this.#servedDue = undefined
    this.#requestedAt = undefined
    // A clock set back a little shows minutes again that were already served.
    this.#base = notBefore(this.#base, at)
    this.#bootDue = false
    this.#orphaned = undefined
    this.#retryAt = undefined
  }

  /** Returns whether this is the only success for the Due of the run. */
  succeed(at: number, position: number): boolean {
    this.#end(at, position)
    const first = this.#servedDue === undefined || this.#servedDue !== this.#succeededDue
    this.#succeededDue = this.#servedDue
    return first
  }

  fail(at: number, endedAt: number, position: number): void {
    this.#end(at, position)
    const delay = this.retry === undefined ? this.retryDelayMs : retryAfter(this.retry, this.#attempt)
    this.#retryAt = delay === undefined ? undefined : endedAt + delay
  }

  request(at: number): void {
    this.#requestedAt = at
  }

  /** A request ends with the instance that received it. */
  forgetRequest(): void {
    this.#requestedAt = undefined
  }

  crash(at: number, position: number): void {
    this.forgetRequest()
    if (!this.running) return
    this.#end(at, position)
    this.#orphaned = at
  }

  clockSetBack(to: number): void {
    this.#succeededDue = undefined
    this.#idleSince = Math.min(this.#idleSince, to)
    const ahead = this.#base - to
    if (ahead <= FARTHEST_AHEAD) return
    if (this.#retryAt !== undefined && this.#retryAt >= this.#base) this.#retryAt -= ahead
    this.#base = to
    // A first appearance in the future is moved to now, like a start.
    if (!this.#started) this.#bootDue = this.#occurrences.holds(to)
  }

  /** The first Due after the last start that may still be served. */
  #dueAfterBase(at: number): number {
    return this.#occurrences.after(Math.max(this.#base, at - this.#occurrences.deadlineMs - 1))
  }

  #end(at: number, position: number): void {
    this.running = false
    this.idlePosition = position
    this.#idleSince = at
  }
}
