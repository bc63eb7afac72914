import { catchUp, type Decision, lastClosed, plan, triggerOf } from '@kron/core'
import type { Entry } from '@kron/host'
import { Alarm, type ClockJump, DueQueue } from '@kron/runtime'
import * as events from '../log/event.ts'
import type { Pending, PendingPeriods } from './pending.ts'
import { LONGEST_PAUSE, schedulingError } from './retry.ts'
import { type VerdictParts, Verdicts } from './verdicts.ts'

const AT_ONCE = 64
/** For so many seconds what rang together is judged by when it rang. */
const LONGEST_BURST = 10

/**
 * The one owner of what is due: wakes at the next trigger, judges what is due, carries the verdicts out. Everything
 * that happens elsewhere comes back here as a call.
 */
export class Loop {
  readonly pending: PendingPeriods
  private readonly queue = new DueQueue()
  private readonly alarm: Alarm
  private readonly parts: VerdictParts
  private readonly verdicts: Verdicts
  private stopped = false
  /** After a jump forward what is late is caught up with, not replayed. */
  private jumped = false
  /** When what is due rang, while some of it is still to be judged. */
  private rangAt: number | undefined

  constructor(parts: VerdictParts) {
    this.parts = parts
    this.pending = parts.recorder.pending
    this.verdicts = new Verdicts(parts, {
      wakeAt: (slot, at) => this.wakeAt(slot, at),
      catchUp: slots => this.catchUp(slots),
    })
    this.alarm = new Alarm({
      clock: parts.ports.clock,
      onDue: () => this.wake(),
      onJump: jump => this.clockJumped(jump),
    })
  }

  /** When the job's next period asks for attention, in epoch seconds. */
  nextTrigger(slot: number): number | undefined {
    return this.queue.at(slot)
  }

  get queueDepth(): number {
    return this.queue.size
  }

  /** Starts that wait for a place, in order. */
  get waiting(): readonly Pending[] {
    return this.verdicts.waiting
  }

  /** Plans jobs that are new, changed, resumed or back after downtime. */
  catchUp(slots: Iterable<number>): void {
    if (this.stopped) return
    const now = this.now()
    for (const slot of slots) this.visit(slot, now, true)
    this.arm()
  }

  /** The job has changed or is gone: what has not begun to start is judged anew, or never. */
  forget(slot: number): void {
    this.queue.remove(slot)
    for (const pending of this.pending.of(slot))
      if (pending.phase !== 'starting') this.pending.remove(pending)
    this.verdicts.forget(slot)
  }

  /** No new triggers from here on; what is starting is allowed to become durable. */
  async stop(): Promise<void> {
    this.stopped = true
    this.alarm.clear()
    this.verdicts.stop()
    await this.parts.starter.settled()
  }

  /** An execution has ended or a start has come to nothing: who waits for a place may have it. */
  placeFreed(): void {
    if (this.waiting.length === 0) return
    this.verdicts.fillPlaces()
    this.arm()
  }

  private now(): number {
    return Math.floor(this.parts.ports.clock.now() / 1_000)
  }

  private wakeAt(slot: number, at: number): void {
    this.queue.set(slot, Math.min(this.queue.at(slot) ?? Number.POSITIVE_INFINITY, at))
    this.arm()
  }

  private arm(): void {
    const next = this.queue.nextAt()
    if (this.stopped || next === undefined || next === Number.POSITIVE_INFINITY) this.alarm.clear()
    else this.alarm.set(next * 1_000)
  }

  private wake(): void {
    const now = this.ringTime()
    for (let left = AT_ONCE; left > 0; left--) {
      const slot = this.queue.popDue(now)
      if (slot === undefined) break
      this.visit(slot, now, this.jumped)
    }
    // The first starts need not wait for the last decisions: what is left is due at once.
    const isLeft = (this.queue.nextAt() ?? Number.POSITIVE_INFINITY) <= now
    this.rangAt = isLeft ? now : undefined
    if (!isLeft) this.jumped = false
    this.arm()
  }

  /** Nobody misses a deadline because others were judged first. */
  private ringTime(): number {
    const now = this.now()
    return this.rangAt !== undefined && now - this.rangAt <= LONGEST_BURST ? this.rangAt : now
  }

  private clockJumped({ kind, by }: ClockJump): void {
    this.parts.ports.emit(events.clockJumped(kind, by))
    this.rangAt = undefined
    if (kind === 'forward') this.jumped = (this.queue.nextAt() ?? Number.POSITIVE_INFINITY) <= this.now()
    else for (const slot of this.parts.jobs.slots()) this.visit(slot, this.now(), false)
    this.arm()
  }

  private visit(slot: number, now: number, catchingUp: boolean): void {
    const entry = this.parts.jobs.entry(slot)
    if (entry === undefined || entry.schedule.policy.suspend) return void this.queue.remove(slot)
    try {
      this.judgeDue(slot, entry, now, catchingUp)
    } catch (error) {
      // Nothing is handled by an error: the same decisions are tried again.
      this.parts.ports.emit(events.failed(schedulingError(error, entry.identity)))
      this.queue.set(slot, now + LONGEST_PAUSE)
    }
  }

  /** Judges everything of one job that is due, and queues the job for its next trigger. */
  private judgeDue(slot: number, entry: Entry, now: number, catchingUp: boolean): void {
    const { jobs, ports } = this.parts
    if (!catchingUp) this.settleClosed(slot, entry, now)
    const decisions = catchingUp
      ? this.settleOverdue(slot, entry, now)
      : plan(entry, jobs.handled(slot), now, ports.hash)
    let next = Number.POSITIVE_INFINITY
    for (const decision of decisions) {
      // One that is under way counts, too: after a clock was set back its time may come again.
      if (triggerOf(decision) > now) next = Math.min(next, triggerOf(decision))
      else if (this.pending.get(slot, decision.nominal) === undefined)
        this.verdicts.act(slot, entry, decision, now)
    }
    for (const pending of this.pending.of(slot)) {
      if (pending.phase !== 'retrying') continue
      if (pending.retryAt > now) next = Math.min(next, pending.retryAt)
      else this.verdicts.judgeAgain(pending, 'deadline')
    }
    if (next === Number.POSITIVE_INFINITY) this.queue.remove(slot)
    else this.queue.set(slot, next)
  }

  /** A wake-up that comes too late for periods names the latest of them, as after downtime. */
  private settleClosed(slot: number, entry: Entry, now: number): void {
    const { jobs, ports } = this.parts
    const closed = lastClosed(entry, jobs.handled(slot), now, ports.hash)
    if (closed === undefined || this.pending.get(slot, closed.nominal) !== undefined) return
    this.verdicts.act(slot, entry, closed, now)
  }

  /** Records what passed while nobody could act on it, all of it at once, and tells what is left to judge. */
  private settleOverdue(slot: number, entry: Entry, now: number): readonly Decision[] {
    const { jobs, ports, recorder } = this.parts
    const { missed, rest } = catchUp(entry, jobs.handled(slot), now, ports.hash)
    const neverWill = (decision: Decision): boolean => decision.chosen === null && decision.windowStart <= now
    if (missed.length === 0 && !rest.some(neverWill)) return rest
    const over = [
      ...missed.map(each => ({ ...each, outcome: 'missed' as const })),
      ...rest
        .filter(neverWill)
        .map(decision => ({ decision, outcome: 'unschedulable' as const, reason: 'constraints' })),
    ]
      .filter(({ decision }) => this.pending.get(slot, decision.nominal) === undefined)
      .sort((a, b) => a.decision.nominal - b.decision.nominal)
    for (const { decision } of over) this.verdicts.announce(decision)
    recorder.notExecuted(slot, over, now)
    return rest.filter(decision => !neverWill(decision))
  }
}
