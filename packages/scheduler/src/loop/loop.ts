import { findZone } from '@kron/core'
import { Alarm, DueQueue, type Timer } from '@kron/runtime'
import type { StartCause } from '../event.ts'
import type { Report } from '../report.ts'
import { type Store, StoreLostError } from '../store/store.ts'
import type { SchedulerClock } from '../system-clock.ts'
import { clampToClock, FARTHEST_AHEAD } from '../task/clamp.ts'
import { dueAt, judge } from '../task/judge.ts'
import type { TaskTable } from '../task/task-table.ts'
import { Batch } from './batch.ts'
import { ClockWatch } from './clock-watch.ts'
import { CommitLine } from './commit-line.ts'
import type { Outcome, Runs } from './runs.ts'
import { AMENDED, type Unsaved } from './unsaved.ts'

/** More at once would only make the first of them wait for the last. */
const LARGEST_BATCH = 100_000
const LATE = 60_000
/** How long `stop` waits for a store that does not answer. */
export const STORE_PATIENCE = 10_000

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
  /** The tasks that are neither running nor about to. */
  readonly #queue: DueQueue
  readonly #alarm: Alarm
  readonly #watch: ClockWatch
  readonly #line: CommitLine
  readonly #unsaved = new Map<number, Unsaved>()
  #mode: 'active' | 'stopping' | 'ended' = 'active'
  #patience: Timer
  #drained = () => {}
  readonly #onEnd = (slot: number, outcome: Outcome) => this.#ended(slot, outcome)

  constructor(parts: LoopParts) {
    this.#parts = parts
    this.#queue = new DueQueue(parts.table.size)
    this.#watch = new ClockWatch(parts.clock, parts.table.latest())
    this.#line = new CommitLine(parts.store, parts.clock)
    this.#alarm = new Alarm({
      // Time that stands still makes every wake-up after a second or more a jump, and so a look at the clock.
      clock: { ...timersOf(parts.clock), monotonic: () => 0 },
      onDue: now => this.#pump(now),
      onJump: () => this.#lookAtClock(parts.clock.now()),
    })
  }

  /** Schedules every task; nothing starts within this call. */
  begin(): void {
    const now = this.#parts.clock.now()
    for (let slot = 0; slot < this.#parts.table.size; slot++) this.#enqueue(slot, now)
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
    const batch = this.#takeBatch(now)
    if (batch.isEmpty) this.#wakeAtNext()
    else {
      this.#line.send(
        batch.change(this.#parts.table, this.#parts.owner),
        () => this.#saved(batch),
        error => this.#failed(batch, error),
      )
    }
  }

  #takeBatch(now: number): Batch {
    const { table } = this.#parts
    const batch = new Batch(now)
    while (this.#mode === 'active' && batch.starts.length < LARGEST_BATCH) {
      const eligibleAt = this.#queue.nextAt()
      const slot = this.#queue.popDue(now)
      if (slot === undefined || eligibleAt === undefined) break
      const verdict = judge(table.times(slot), table.occurrences(slot), now)
      if (verdict.kind === 'wait') this.#queue.set(slot, verdict.until)
      else batch.addStart(slot, verdict.cause, eligibleAt)
    }
    // Ends wait while starts do.
    if (batch.starts.length < LARGEST_BATCH) this.#addSaves(batch)
    return batch
  }

  #addSaves({ saves }: Batch): void {
    for (const slot of this.#unsaved.keys()) {
      if (saves.length === LARGEST_BATCH) break
      // What is not in the queue has just left it to start, and its changes go with the start.
      if (this.#queue.has(slot)) saves.push(slot)
    }
  }

  #saved(batch: Batch): void {
    if (this.#mode === 'ended') return
    const { clock, runs } = this.#parts
    const now = clock.now()
    for (const slot of batch.saves) this.#settle(slot, now)
    if (batch.starts.length > 0) runs.starting(() => this.#startAll(batch, now))
    // Only now, because the other starts were waiting.
    for (let index = 0; index < batch.ended.length; index++)
      this.#ended(batch.ended[index]!, batch.outcomes[index]!)
    this.#line.free()
    this.#checkDrained()
    this.#wakeAtNext()
  }

  #startAll(batch: Batch, now: number): void {
    // What was decided by a clock that has since been set back by days is decided anew.
    const outdated = batch.at - now > FARTHEST_AHEAD
    for (let index = 0; index < batch.starts.length; index++) {
      this.#settle(batch.starts[index]!, now)
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

  /** Reports how a run ended, now that it is durable. */
  #settle(slot: number, at: number): void {
    const unsaved = this.#unsaved.get(slot)
    if (unsaved === undefined) return
    this.#unsaved.delete(slot)
    const { table, report } = this.#parts
    const taskName = table.name(slot)
    if (unsaved.kind === 'success' && report.details) {
      report({ type: 'TaskRunCompleted', at, taskName, endedAt: table.lastSuccessAt(slot) })
    } else if (unsaved.kind === 'failure') {
      const { error } = unsaved
      const endedAt = table.lastFailureAt(slot)
      report({
        type: 'TaskRunFailed',
        at,
        taskName,
        endedAt,
        error,
        pendingRetryUntil: table.pendingRetryUntil(slot),
      })
    }
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
    this.#queue.set(slot, batch.eligibleAt[index]!)
    if (!this.#unsaved.has(slot)) this.#unsaved.set(slot, AMENDED)
  }

  #ended(slot: number, outcome: Outcome): void {
    if (this.#mode !== 'ended') {
      const { table, clock } = this.#parts
      const now = clock.now()
      if (outcome.kind === 'success') table.succeed(slot, now)
      else table.fail(slot, now)
      this.#unsaved.set(slot, outcome)
      this.#enqueue(slot, now)
      this.#wakeBy(now)
    }
    this.#checkDrained()
  }

  #enqueue(slot: number, now: number): void {
    const { table } = this.#parts
    this.#queue.set(slot, Math.max(dueAt(table.times(slot), table.occurrences(slot)), now))
  }

  #lookAtClock(now: number): void {
    const change = this.#watch.look(now)
    if (change === undefined) return
    const { table } = this.#parts
    const zone = findZone(change.zone)
    if (zone !== undefined) table.useZone(zone)
    if (change.setBack) this.#forgetAhead(now)
    for (let slot = 0; slot < table.size; slot++) if (this.#queue.has(slot)) this.#enqueue(slot, now)
    this.#alarm.clear()
    this.#wakeAtNext()
  }

  #forgetAhead(now: number): void {
    const { table, report } = this.#parts
    let tasks = 0
    for (let slot = 0; slot < table.size; slot++) {
      const clamped = clampToClock(table.record(slot), now)
      if (clamped === undefined) continue
      tasks++
      table.amend(slot, clamped)
      if (this.#queue.has(slot) && !this.#unsaved.has(slot)) this.#unsaved.set(slot, AMENDED)
    }
    report({ type: 'ClockSetBack', at: now, tasks })
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
      this.#patience ??= clock.setTimer(STORE_PATIENCE, () =>
        this.#giveUp(new Error('the store does not answer')),
      )
    }
  }

  /** What is not stored by now will look like an unfinished run to the next instance. */
  #giveUp(cause: unknown): void {
    const count = this.#unsaved.size
    const message = `stopped, but the store does not know how the last runs of ${count} tasks ended`
    const error = new Error(message, { cause })
    if (count > 0)
      this.#parts.report({ type: 'error', at: this.#parts.clock.now(), operation: 'stop', error })
    this.#drained()
  }

  #end(): void {
    this.#mode = 'ended'
    this.#alarm.clear()
    this.#line.endPause()
    if (this.#patience !== undefined) this.#parts.clock.clearTimer(this.#patience)
  }

  #wakeAtNext(): void {
    const next = this.#unsaved.size > 0 ? this.#parts.clock.now() : this.#queue.nextAt()
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
