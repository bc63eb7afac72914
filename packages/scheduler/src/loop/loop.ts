import { Alarm, type Timer } from '@kron/runtime'
import type { SchedulerClock } from '../clock/system-clock.ts'
import { SchedulerNotRunningError } from '../error/lifecycle-error.ts'
import type { StartCause } from '../event.ts'
import type { Report } from '../report.ts'
import { NO_ANSWER, STORE_PATIENCE } from '../store/patience.ts'
import { isStoreLost, type Store, type StoreLostError } from '../store/store.ts'
import { FARTHEST_AHEAD } from '../task/clamp.ts'
import type { TaskTable } from '../task/task-table.ts'
import { Agenda } from './agenda.ts'
import { alarmClock } from './alarm-clock.ts'
import type { Batch } from './batch.ts'
import { ClockWatch } from './clock-watch.ts'
import { CommitLine } from './commit-line.ts'
import { reportStart } from './report-start.ts'
import { Requests } from './requests.ts'
import { Run } from './run-context.ts'
import type { Outcome, Runs } from './runs.ts'
import { stopReason, TimeLimits } from './time-limits.ts'
import { Unsaved } from './unsaved.ts'

/** In a larger commit, the first start would only wait for the last. */
const LARGEST_BATCH = 10_000

export interface LoopParts {
  readonly table: TaskTable
  readonly clock: SchedulerClock
  readonly store: Store
  /** The identifier of this instance in the records. */
  readonly owner: string
  readonly runs: Runs
  readonly report: Report
  /** The largest number of callbacks that may run at once. */
  readonly maxConcurrent: number
  /** The time that callbacks have after a stop before their signals are aborted, in milliseconds. */
  readonly stopGraceMs: number
  /** Called when another instance has taken over. */
  readonly onLost: (error: StoreLostError) => void
}

/** Owns the tasks while they are scheduled. All changes to tasks happen here, one at a time. */
export class Loop {
  readonly #parts: LoopParts
  readonly #agenda: Agenda
  readonly #alarm: Alarm
  readonly #watch: ClockWatch
  readonly #line: CommitLine
  readonly #unsaved: Unsaved
  readonly #largestBatch: number
  readonly #requests = new Requests()
  readonly #limits: TimeLimits
  #mode: 'active' | 'stopping' | 'ended' = 'active'
  #patience: Timer
  #grace: Timer
  #drained = () => {}
  readonly #onEnd = (slot: number, outcome: Outcome) => this.#ended(slot, outcome, this.#parts.clock.now())

  constructor(parts: LoopParts) {
    this.#parts = parts
    this.#agenda = new Agenda(parts.table)
    this.#unsaved = new Unsaved(parts.table, parts.report)
    this.#watch = new ClockWatch(parts.clock, parts.table.latest())
    this.#line = new CommitLine(parts.store, parts.clock)
    this.#limits = new TimeLimits(parts.clock)
    this.#largestBatch = parts.store.volatile ? Number.POSITIVE_INFINITY : LARGEST_BATCH
    this.#alarm = new Alarm({
      clock: alarmClock(parts.clock),
      onDue: now => this.#pump(now),
      onJump: () => this.#lookAtClock(parts.clock.now()),
    })
  }

  /** Schedules every task. Nothing starts within this call. */
  begin(): void {
    this.#agenda.putAll(this.#parts.clock.now())
    this.#wakeAtNext()
  }

  /** Starts a task that is not running, whether it is due or not. Resolves when the run has ended. */
  request(slot: number): Promise<Outcome> {
    const { table, clock, report } = this.#parts
    const now = clock.now()
    table.request(slot)
    report({ type: 'TaskRunRequested', at: now, taskName: table.name(slot) })
    const ended = this.#requests.add(slot)
    if (this.#agenda.has(slot)) this.#agenda.putAt(slot, now)
    this.#wakeBy(now)
    return ended
  }

  /** Whether a task is neither running nor about to start. */
  isWaiting(slot: number): boolean {
    return this.#agenda.has(slot)
  }

  /** After this call nothing starts. Resolves when all callbacks have ended and the store has saved that or failed. */
  async stop(): Promise<void> {
    const { clock, runs, stopGraceMs } = this.#parts
    this.#mode = 'stopping'
    this.#refuseRequests()
    if (runs.count > 0) {
      const abort = () => runs.abort(stopReason(stopGraceMs))
      if (stopGraceMs === 0) abort()
      else if (Number.isFinite(stopGraceMs)) this.#grace = clock.setTimer(stopGraceMs, abort)
    }
    await this.#untilDrained()
    this.#end()
  }

  /** Forgets unsaved changes, because another instance owns the tasks now. Resolves when all callbacks have ended. */
  async abandon(): Promise<void> {
    this.#end()
    this.#unsaved.clear()
    await this.#untilDrained()
  }

  /**
   * The only place where tasks leave the queue and changes go to the store. No callback is called before its start is
   * durable: `#carryOut` runs when the store has the batch, or at once if the store keeps nothing.
   */
  #pump(now: number): void {
    this.#lookAtClock(now)
    if (this.#line.busy || this.#line.pausing) return
    const { table, owner, store } = this.#parts
    const batch = this.#takeBatch(now)
    if (batch.isEmpty) {
      if (this.#mode === 'active') this.#wakeAtNext()
    } else if (store.volatile) this.#startBeforeSaving(batch)
    else {
      this.#line.send(
        batch.change(table, owner),
        () => {
          this.#carryOut(batch)
          this.#goOn()
        },
        error => this.#failed(batch, error),
      )
    }
  }

  #startBeforeSaving(batch: Batch): void {
    const { table, clock, report } = this.#parts
    this.#carryOut(batch)
    const now = clock.now()
    for (const slot of batch.ended) this.#unsaved.settle(slot, now)
    this.#line.send(
      batch.changeAfter(table),
      () => this.#goOn(),
      error => {
        report({ type: 'error', at: clock.now(), operation: 'commit', error })
        this.#goOn()
      },
    )
  }

  #takeBatch(now: number): Batch {
    const batch = this.#agenda.take(
      now,
      this.#mode === 'active' ? Math.min(this.#largestBatch, this.#room()) : 0,
    )
    // Ends of runs are saved only when no more starts are waiting.
    if (batch.starts.length < this.#largestBatch) this.#addSaves(batch)
    return batch
  }

  /** The number of additional callbacks that may run now. */
  #room(): number {
    return Math.max(0, this.#parts.maxConcurrent - this.#parts.runs.count)
  }

  #addSaves({ saves }: Batch): void {
    for (const slot of this.#unsaved.slots()) {
      if (saves.length === this.#largestBatch) break
      // A task that is not on the agenda is about to start. Its changes are saved with the start.
      if (this.#agenda.has(slot)) saves.push(slot)
    }
  }

  /** Starts the callbacks of a batch that is durable, or whose store keeps nothing. */
  #carryOut(batch: Batch): void {
    if (this.#mode === 'ended') return
    const { clock, runs } = this.#parts
    const now = clock.now()
    for (const slot of batch.saves) this.#unsaved.settle(slot, now)
    if (batch.starts.length > 0) runs.starting(() => this.#startAll(batch, now))
    // Ends are handled after all starts, because the other starts were waiting.
    const endedAt = clock.now()
    for (const slot of batch.ended) this.#ended(slot, batch.outcome(slot), endedAt)
  }

  #goOn(): void {
    if (this.#mode === 'ended') return
    this.#line.free()
    this.#checkDrained()
    this.#wakeAtNext()
  }

  #startAll(batch: Batch, now: number): void {
    // If the clock was set back by days since the decision, the decision is dropped and made again.
    const outdated = batch.at - now > FARTHEST_AHEAD
    for (let index = 0; index < batch.starts.length; index++) {
      const slot = batch.starts[index]!
      this.#unsaved.settle(slot, now)
      if (this.#mode === 'active' && !outdated) this.#start(batch, slot, batch.causes[index]!)
      else this.#withdraw(slot)
    }
  }

  #failed(batch: Batch, error: unknown): void {
    if (this.#mode === 'ended') return
    const { clock, report, runs, onLost } = this.#parts
    // A failed commit may have been stored anyway, so its starts must be withdrawn.
    for (const slot of batch.starts) this.#withdraw(slot)
    this.#line.free()
    const lost = isStoreLost(error)
    if (lost && this.#mode === 'active') {
      onLost(error)
      return
    }
    if (lost) this.#unsaved.clear()
    report({ type: 'error', at: clock.now(), operation: 'commit', error })
    if (this.#mode === 'stopping' && runs.count === 0) this.#giveUp(error)
    else this.#line.pause(() => this.#wakeAtNext())
  }

  #start(batch: Batch, slot: number, cause: StartCause): void {
    const { table, clock, owner, runs, report } = this.#parts
    // Without this, a clock set back by a millisecond since the decision would make the minute due again.
    const at = Math.max(batch.at, clock.now())
    const run = Run.begin(table, slot, cause, at, owner)
    reportStart(report, at, run.name, cause, at - this.#agenda.eligibleAt(slot))
    const outcome = runs.start(run, table.callback(slot), slot, this.#onEnd)
    if (outcome !== undefined) return batch.addEnd(slot, outcome)
    const timeoutMs = table.retry(slot)?.timeoutMs
    if (timeoutMs !== undefined) this.#limits.set(slot, run, timeoutMs)
  }

  /** Withdraws a start that may be stored but does not happen now. */
  #withdraw(slot: number): void {
    this.#agenda.putBack(slot)
    this.#unsaved.amend(slot)
  }

  #ended(slot: number, outcome: Outcome, now: number): void {
    this.#limits.clear(slot)
    this.#requests.ended(slot, outcome)
    if (this.#mode !== 'ended') {
      const { table } = this.#parts
      if (outcome.kind === 'success') table.succeed(slot, now)
      else table.fail(slot, now)
      this.#unsaved.end(slot, outcome)
      this.#agenda.put(slot, now)
      this.#wakeBy(now)
    }
    this.#checkDrained()
  }

  /** Waits for a commit that is under way: its records are already with the store, so they could not be corrected. */
  #lookAtClock(now: number): void {
    if (this.#line.busy) return
    const change = this.#watch.look(now)
    if (change === undefined) return
    const amended = this.#agenda.follow(change, now)
    for (const slot of amended) if (this.#agenda.has(slot)) this.#unsaved.amend(slot)
    if (change.setBack) this.#parts.report({ type: 'ClockSetBack', at: now, tasks: amended.length })
    this.#alarm.clear()
    this.#wakeAtNext()
  }

  async #untilDrained(): Promise<void> {
    const drained = new Promise<void>(resolve => {
      this.#drained = resolve
    })
    this.#line.endPause()
    this.#checkDrained()
    this.#wakeAtNext()
    await drained
  }

  #checkDrained(): void {
    const { runs, clock } = this.#parts
    if (this.#mode === 'active' || runs.count > 0) return
    const idle = !this.#line.busy && this.#unsaved.size === 0
    if (this.#mode === 'ended' || idle) this.#drained()
    else {
      this.#line.endPause()
      this.#patience ??= clock.setTimer(STORE_PATIENCE, () => this.#giveUp(new Error(NO_ANSWER)))
    }
  }

  /** Gives up saving. The next instance will see unsaved ends as unfinished runs. */
  #giveUp(cause: unknown): void {
    const { clock, report } = this.#parts
    const count = this.#unsaved.size
    const message = `stopped, but the store does not know how the last runs of ${count} tasks ended`
    if (count > 0)
      report({ type: 'error', at: clock.now(), operation: 'stop', error: new Error(message, { cause }) })
    this.#drained()
  }

  #end(): void {
    this.#mode = 'ended'
    this.#alarm.clear()
    this.#line.endPause()
    if (this.#patience !== undefined) this.#parts.clock.clearTimer(this.#patience)
    if (this.#grace !== undefined) this.#parts.clock.clearTimer(this.#grace)
    this.#refuseRequests()
  }

  /** Does not use the alarm: a stop must not wait for a clock that stands still, such as a test's fake timers. */
  #saveRest(): void {
    if (this.#mode === 'stopping' && this.#unsaved.size > 0) this.#pump(this.#parts.clock.now())
  }

  #wakeAtNext(): void {
    if (this.#unsaved.size > 0) return this.#wakeBy(this.#parts.clock.now())
    // Without room, the next event is the end of a run.
    const next = this.#room() > 0 ? this.#agenda.nextAt() : undefined
    if (next !== undefined) this.#wakeBy(next)
  }

  #refuseRequests(): void {
    this.#requests.refuse(new SchedulerNotRunningError('run a task'), slot => !this.#agenda.has(slot))
  }

  #wakeBy(at: number): void {
    if (this.#mode !== 'active') this.#saveRest()
    else if (this.#alarm.at === undefined || at < this.#alarm.at) this.#alarm.set(at)
  }
}
