import { Alarm, type Timer } from '@kron/runtime'
import type { StartCause } from '../event.ts'
import type { Report } from '../report.ts'
import { NO_ANSWER, STORE_PATIENCE } from '../store/patience.ts'
import { type Store, StoreLostError } from '../store/store.ts'
import type { SchedulerClock } from '../system-clock.ts'
import { FARTHEST_AHEAD } from '../task/clamp.ts'
import type { TaskTable } from '../task/task-table.ts'
import { Agenda } from './agenda.ts'
import type { Batch } from './batch.ts'
import { ClockWatch } from './clock-watch.ts'
import { CommitLine } from './commit-line.ts'
import type { Outcome, Runs } from './runs.ts'
import { Unsaved } from './unsaved.ts'

/** With more in one commit the first of them would only wait for the last. */
const LARGEST_BATCH = 10_000
const LATE = 60_000

export interface LoopParts {
  readonly table: TaskTable
  readonly clock: SchedulerClock
  readonly store: Store
  /** What this instance calls itself in the records. */
  readonly owner: string
  readonly runs: Runs
  readonly report: Report
  /** Another instance has taken over. */
  readonly onLost: (error: StoreLostError) => void
}

/** Owns the tasks while they are scheduled: everything that happens to them happens in here, one thing at a time. */
export class Loop {
  readonly #parts: LoopParts
  readonly #agenda: Agenda
  readonly #alarm: Alarm
  readonly #watch: ClockWatch
  readonly #line: CommitLine
  readonly #unsaved: Unsaved
  readonly #largestBatch: number
  #mode: 'active' | 'stopping' | 'ended' = 'active'
  #patience: Timer
  #drained = () => {}
  readonly #onEnd = (slot: number, outcome: Outcome) => this.#ended(slot, outcome, this.#parts.clock.now())

  constructor(parts: LoopParts) {
    this.#parts = parts
    this.#agenda = new Agenda(parts.table)
    this.#unsaved = new Unsaved(parts.table, parts.report)
    this.#watch = new ClockWatch(parts.clock, parts.table.latest())
    this.#line = new CommitLine(parts.store, parts.clock)
    this.#largestBatch = parts.store.volatile ? Number.POSITIVE_INFINITY : LARGEST_BATCH
    this.#alarm = new Alarm({
      // Time that stands still makes every wake-up after a second or more a jump, and so a look at the clock.
      clock: { ...timersOf(parts.clock), monotonic: () => 0 },
      onDue: now => this.#pump(now),
      onJump: () => this.#lookAtClock(parts.clock.now()),
    })
  }

  /** Schedules every task; nothing starts within this call. */
  begin(): void {
    this.#agenda.putAll(this.#parts.clock.now())
    this.#wakeAtNext()
  }

  /** Starts nothing more; resolves when the callbacks have ended and the store knows it, or has failed to. */
  async stop(): Promise<void> {
    this.#mode = 'stopping'
    await this.#untilDrained()
    this.#end()
  }

  /** Forgets what is not stored, which is another instance's now; resolves when the callbacks have ended. */
  async abandon(): Promise<void> {
    this.#end()
    this.#unsaved.clear()
    await this.#untilDrained()
  }

  /** The one place where tasks leave the queue and changes go to the store; only the alarm calls it. */
  #pump(now: number): void {
    this.#lookAtClock(now)
    if (this.#line.busy || this.#line.pausing) return
    const { table, owner, store } = this.#parts
    const batch = this.#takeBatch(now)
    if (batch.isEmpty) this.#wakeAtNext()
    else if (store.volatile) this.#startBeforeSaving(batch)
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
    const batch = this.#agenda.take(now, this.#mode === 'active' ? this.#largestBatch : 0)
    // Ends wait while starts do.
    if (batch.starts.length < this.#largestBatch) this.#addSaves(batch)
    return batch
  }

  #addSaves({ saves }: Batch): void {
    for (const slot of this.#unsaved.slots()) {
      if (saves.length === this.#largestBatch) break
      // What is not on the agenda has just left it to start, and its changes go with the start.
      if (this.#agenda.has(slot)) saves.push(slot)
    }
  }

  /** Does what the store knows of, or need not know of first. */
  #carryOut(batch: Batch): void {
    if (this.#mode === 'ended') return
    const { clock, runs } = this.#parts
    const now = clock.now()
    for (const slot of batch.saves) this.#unsaved.settle(slot, now)
    if (batch.starts.length > 0) runs.starting(() => this.#startAll(batch, now))
    // Only now, because the other starts were waiting.
    const endedAt = clock.now()
    for (let index = 0; index < batch.ended.length; index++)
      this.#ended(batch.ended[index]!, batch.outcomes[index]!, endedAt)
  }

  #goOn(): void {
    if (this.#mode === 'ended') return
    this.#line.free()
    this.#checkDrained()
    this.#wakeAtNext()
  }

  #startAll(batch: Batch, now: number): void {
    // What was decided by a clock that has since been set back by days is decided anew.
    const outdated = batch.at - now > FARTHEST_AHEAD
    for (let index = 0; index < batch.starts.length; index++) {
      this.#unsaved.settle(batch.starts[index]!, now)
      if (this.#mode === 'active' && !outdated) this.#start(batch, index)
      else this.#withdraw(batch, index)
    }
  }

  #failed(batch: Batch, error: unknown): void {
    if (this.#mode === 'ended') return
    const { clock, report, runs, onLost } = this.#parts
    // A commit that failed may have been stored all the same, so what it said has to be taken back.
    for (let index = 0; index < batch.starts.length; index++) this.#withdraw(batch, index)
    this.#line.free()
    const lost = error instanceof StoreLostError
    if (lost && this.#mode === 'active') {
      onLost(error)
      return
    }
    if (lost) this.#unsaved.clear()
    report({ type: 'error', at: clock.now(), operation: 'commit', error })
    if (this.#mode === 'stopping' && runs.count === 0) this.#giveUp(error)
    else this.#line.pause(() => this.#wakeAtNext())
  }

  #start(batch: Batch, index: number): void {
    const { table, clock, owner, runs, report } = this.#parts
    const slot = batch.starts[index]!
    const cause = batch.causes[index]!
    // Otherwise a clock set back by a millisecond since the decision would make the minute due again.
    const at = Math.max(batch.at, clock.now())
    const taskName = table.name(slot)
    table.start(slot, at, owner)
    if (report.details) reportStart(report, at, taskName, cause)
    const lateMs = at - batch.eligibleAt[index]!
    if (lateMs > LATE) report({ type: 'TaskStartedLate', at, taskName, lateMs })
    const outcome = runs.start(taskName, table.callback(slot), slot, this.#onEnd)
    if (outcome !== undefined) batch.addEnd(slot, outcome)
  }

  /** Takes back a start that the store may know of, but that does not happen now. */
  #withdraw(batch: Batch, index: number): void {
    const slot = batch.starts[index]!
    this.#agenda.putBack(slot, batch.eligibleAt[index]!)
    this.#unsaved.amend(slot)
  }

  #ended(slot: number, outcome: Outcome, now: number): void {
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

  #lookAtClock(now: number): void {
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

  /** What is not stored by now will look like an unfinished run to the next instance. */
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
  }

  #wakeAtNext(): void {
    const next = this.#unsaved.size > 0 ? this.#parts.clock.now() : this.#agenda.nextAt()
    if (next !== undefined && (this.#mode === 'active' || this.#unsaved.size > 0)) this.#wakeBy(next)
  }

  #wakeBy(at: number): void {
    if (this.#alarm.at === undefined || at < this.#alarm.at) this.#alarm.set(at)
  }
}

function reportStart(report: Report, at: number, taskName: string, cause: StartCause): void {
  if (cause === 'preemption') report({ type: 'TaskRetryPreempted', at, taskName })
  if (cause === 'retry') report({ type: 'TaskRetryStarted', at, taskName })
  else report({ type: 'TaskRunStarted', at, taskName, cause })
}

/** The clock without its monotonic time. */
const timersOf = (clock: SchedulerClock) => ({
  now: () => clock.now(),
  setTimer: (milliseconds: number, fire: () => void) => clock.setTimer(milliseconds, fire),
  clearTimer: (timer: Timer) => clock.clearTimer(timer),
})
