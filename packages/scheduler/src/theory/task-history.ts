import { type Cron, prev, type Zone } from '@kron/core'
import { Occurrences } from '../cron/occurrences.ts'
import { FARTHEST_AHEAD, notBefore } from '../task/clamp.ts'

/** What the events so far say about one task. */
export class TaskHistory {
  running = false
  retryDelayMs = 0
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
  #cron: Cron
  #occurrences: Occurrences
  readonly #zone: Zone

  /** A first coming. */
  constructor(cron: Cron, zone: Zone, at: number, position: number) {
    this.idlePosition = position
    this.#cron = cron
    this.#zone = zone
    this.#occurrences = new Occurrences(cron, zone)
    this.#base = at
    this.#idleSince = at
    this.#bootDue = this.#occurrences.holds(at)
  }

  /** From now on another cron decides what is due. */
  reschedule(cron: Cron): void {
    this.#cron = cron
    this.#occurrences = new Occurrences(cron, this.#zone)
    this.#bootDue &&= this.#occurrences.holds(this.#base)
  }

  /** Since when the task is pending at an instant, if it is. */
  pendingSince(at: number): number | undefined {
    if (this.running) return undefined
    const due = this.#occurrences.after(this.#base)
    const reasons = [
      this.#bootDue ? this.#base : undefined,
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
    const due = this.#bootDue || this.#occurrences.after(this.#base) <= at
    if (due) this.#servedDue = prev(this.#cron, this.#zone, Math.floor(at / 1000))
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
    this.#retryAt = endedAt + this.retryDelayMs
  }

  crash(at: number, position: number): void {
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

  #end(at: number, position: number): void {
    this.running = false
    this.idlePosition = position
    this.#idleSince = at
  }
}
