import type { Occurrences } from '../cron/occurrences.ts'
import { type Retry, retryAfter } from '../registration/retry-policy.ts'
import { FARTHEST_AHEAD, neverBack } from '../task/clamp.ts'

/**
 * An occurrence that a run serves. After the clock was set back by more than 25 hours, minutes come again. They have the
 * same Due as before but are other occurrences, so each of them may succeed again.
 */
interface Served {
  readonly due: number
  /** How many times minutes had begun to come again. */
  readonly setBacks: number
}

const isSame = (one: Served | undefined, other: Served | undefined): boolean =>
  one !== undefined && one.due === other?.due && one.setBacks === other.setBacks

/** The times of a task that change when the clock is set back. */
interface Times {
  readonly base: number
  readonly retryAt: number | undefined
  readonly bootDue: boolean
  readonly setBacks: number
}

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
  /** The occurrence of the last run, and the last occurrence that was served with success. */
  #served: Served | undefined
  #succeeded: Served | undefined
  /** How many times the base was moved back, so that minutes came again. */
  #setBacks = 0
  /** The last start. Before the first start, the time when the task first appeared. */
  #base: number
  #started = false
  #bootDue = false
  #orphaned: number | undefined
  #retryAt: number | undefined
  /** The time since which the task is idle. */
  #idleSince: number
  #occurrences: Occurrences
  /** The times before each setting back of the clock that may not be stored yet. Their bases are more than 25 hours apart. */
  #unsettled: Times[] = []
  /** The time of the last setting back that may not be stored yet. Undefined during a run, which stores it at its end. */
  #setBackAt: number | undefined

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
    this.trustSetBacks()
    this.running = true
    this.#started = true
    // A run without a new occurrence is a retry or an orphan's restart, and serves the previous occurrence.
    const due = this.#bootDue || this.#dueAfterBase(at) <= at
    const again = this.#orphaned !== undefined || (this.#retryAt !== undefined && this.#retryAt <= at)
    this.#attempt = !due && again ? this.#attempt + 1 : 1
    if (due) this.#served = this.#occurrenceAt(at)
    // A requested run serves only the request.
    else if (!again) this.#served = undefined
    this.#requestedAt = undefined
    // A clock set back a little shows minutes again that were already served.
    this.#moveBase(neverBack(this.#base, at))
    this.#bootDue = false
    this.#orphaned = undefined
    this.#retryAt = undefined
  }

  /** Returns whether this is the only success for the occurrence of the run. */
  succeed(at: number, position: number): boolean {
    this.trustSetBacks()
    this.#end(at, position)
    const first = !isSame(this.#served, this.#succeeded)
    this.#succeeded = this.#served
    return first
  }

  fail(at: number, endedAt: number, position: number): void {
    this.trustSetBacks()
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
    this.#idleSince = Math.min(this.#idleSince, to)
    const ahead = this.#base - to
    if (ahead <= FARTHEST_AHEAD) return
    this.#unsettled.push({
      base: this.#base,
      retryAt: this.#retryAt,
      bootDue: this.#bootDue,
      setBacks: this.#setBacks,
    })
    if (!this.running) this.#setBackAt = to
    if (this.#retryAt !== undefined && this.#retryAt >= this.#base) this.#retryAt -= ahead
    this.#moveBase(to)
    // A first appearance in the future is moved to now, like a start.
    if (!this.#started) this.#bootDue = this.#occurrences.holds(to)
  }

  get setBackAt(): number | undefined {
    return this.#setBackAt
  }

  /** From here on, the store has the times as they are after the clock was set back. */
  trustSetBacks(): void {
    this.#unsettled = []
    this.#setBackAt = undefined
  }

  /**
   * A process dies before it stores that the clock was set back, and the next one finds the earlier times. It cannot know
   * when the clock was set back. Times that the task never had are not believed.
   */
  load(storedBase: number): void {
    const before = this.#unsettled.find(({ base }) => Math.abs(base - storedBase) < FARTHEST_AHEAD / 2)
    this.trustSetBacks()
    if (before === undefined) return
    this.#base = before.base
    this.#retryAt = before.retryAt
    this.#bootDue = before.bootDue
    this.#setBacks = before.setBacks
  }

  /** The first Due after the last start that may still be served. */
  #dueAfterBase(at: number): number {
    return this.#occurrences.after(Math.max(this.#base, at - this.#occurrences.deadlineMs - 1))
  }

  #occurrenceAt(at: number): Served | undefined {
    const due = this.#occurrences.last(at)
    return due === undefined ? undefined : { due, setBacks: this.#setBacks }
  }

  /** A run in progress, its retries and its restarts keep their occurrence, which lies before the change of the clock. */
  #moveBase(to: number): void {
    if (to < this.#base) this.#setBacks++
    this.#base = to
  }

  #end(at: number, position: number): void {
    this.running = false
    this.idlePosition = position
    this.#idleSince = at
  }
}
