import type { Occurrences } from '../cron/occurrences.ts'
import { type Retry, retryAfter } from '../registration/retry-policy.ts'
import { FARTHEST_AHEAD, notBefore } from '../task/clamp.ts'

/** What the events so far say about one task. */
export class TaskHistory {
  running = false
  retryDelayMs = 0
  retry: Retry | undefined
  /** How many runs have served the last Due. */
  #attempt = 0
  #requestedAt: number | undefined
  /** The event at which the task last ceased to run. */
  idlePosition: number
  /** The Due that the last run serves, and the last one that a run has served with success. */
  #servedDue: number | undefined
  #succeededDue: number | undefined
  /** The last start or, before the first, the first coming. */
  #base: number
  #started = false
  #bootDue = false
  #orphaned: number | undefined
  #retryAt: number | undefined
  /** Since when the task is not running. */
  #idleSince: number
  #occurrences: Occurrences

  /** A first coming. */
  constructor(occurrences: Occurrences, at: number, position: number) {
    this.idlePosition = position
    this.#occurrences = occurrences
    this.#base = at
    this.#idleSince = at
    this.#bootDue = this.#occurrences.holds(at)
  }

  /** From now on another schedule decides what is due. */
  reschedule(occurrences: Occurrences): void {
    this.#occurrences = occurrences
    this.#bootDue &&= this.#occurrences.holds(this.#base)
  }

  /** Since when the task is pending at an instant, if it is. */
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
    // Without an occurrence of its own a run goes on serving the one before: a retry, or the restart of an orphan.
    const due = this.#bootDue || this.#dueAfterBase(at) <= at
    const again = this.#orphaned !== undefined || (this.#retryAt !== undefined && this.#retryAt <= at)
    this.#attempt = !due && again ? this.#attempt + 1 : 1
    if (due) this.#servedDue = this.#occurrences.last(at)
    // A run that was asked for serves nothing but the request.
    else if (!again) this.#servedDue = undefined
    this.#requestedAt = undefined
    // A clock set back a little shows minutes again that were served.
    this.#base = notBefore(this.#base, at)
    this.#bootDue = false
    this.#orphaned = undefined
    this.#retryAt = undefined
  }

  /** Tells whether this is the only success for the Due that the run serves. */
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

  /** A request does not outlive the instance that was asked. */
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
    // A first coming that lies ahead counts as being now, like a start.
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
