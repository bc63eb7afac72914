import {
  catchUp,
  type Decision,
  isHandled,
  judge,
  lastStart,
  type Outcome,
  plan,
  printInstant,
  triggerOf,
} from '@kron/core'
import type { Entry } from '@kron/krontab/format'
import { Alarm, type ClockJump, DueQueue } from '@kron/runtime'
import * as events from './event.ts'
import type { JobTable } from './job-table.ts'
import type { Pending, PendingPeriods } from './pending.ts'
import type { Ports } from './ports.ts'
import type { Recorder } from './recorder.ts'
import { LONGEST_PAUSE, retryTime, schedulingError } from './retry.ts'
import type { RunningExecutions } from './running.ts'
import type { Starter } from './starter.ts'
import { Turns } from './turns.ts'

const AT_ONCE = 64

export interface LoopParts {
  readonly ports: Ports
  readonly jobs: JobTable
  readonly recorder: Recorder
  readonly running: RunningExecutions
  readonly starter: Starter
  readonly maxConcurrent: number
  /** Called whenever a start of the slot has succeeded or come to nothing. */
  readonly settled: (slot: number) => void
}

/**
 * The one owner of what is due: wakes at the next trigger, judges what is due, carries the verdicts out. Everything
 * that happens elsewhere comes back here as a call.
 */
export class Loop {
  readonly pending: PendingPeriods
  /** Starts that wait for a place, in order. */
  private queued: Pending[] = []
  private readonly queue = new DueQueue()
  private readonly alarm: Alarm
  private readonly parts: LoopParts
  private readonly turns = new Turns()
  private stopped = false
  /** After a jump forward what is late is caught up with, not replayed. */
  private jumped = false

  constructor(parts: LoopParts) {
    this.parts = parts
    this.pending = parts.recorder.pending
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

  get waiting(): readonly Pending[] {
    return this.queued
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
    this.queued = this.queued.filter(each => each.slot !== slot)
  }

  /** No new triggers from here on; what is starting is allowed to become durable. */
  async stop(): Promise<void> {
    this.stopped = true
    this.alarm.clear()
    this.queued = []
    await this.parts.starter.settled()
  }

  /** An execution has ended or a start has come to nothing: who waits for a place may have it. */
  placeFreed(): void {
    if (this.queued.length === 0) return
    while (!this.stopped && this.queued.length > 0 && this.hasRoom())
      this.judgeAgain(this.queued.shift()!, 'queue')
    this.arm()
  }

  private now(): number {
    return Math.floor(this.parts.ports.clock.now() / 1_000)
  }

  private arm(): void {
    const next = this.queue.nextAt()
    if (this.stopped || next === undefined || next === Number.POSITIVE_INFINITY) this.alarm.clear()
    else this.alarm.set(next * 1_000)
  }

  private wake(): void {
    const now = this.now()
    for (let left = AT_ONCE; left > 0; left--) {
      const slot = this.queue.popDue(now)
      if (slot === undefined) break
      this.visit(slot, now, this.jumped)
    }
    // The first starts need not wait for the last decisions: what is left is due at once.
    if ((this.queue.nextAt() ?? Number.POSITIVE_INFINITY) > now) this.jumped = false
    this.arm()
  }

  private clockJumped({ kind, by }: ClockJump): void {
    this.parts.ports.emit(events.clockJumped(kind, by))
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
    const decisions = catchingUp
      ? this.settleOverdue(slot, entry, now)
      : plan(entry, jobs.handled(slot), now, ports.hash)
    let next = Number.POSITIVE_INFINITY
    for (const decision of decisions) {
      if (this.pending.get(slot, decision.nominal) !== undefined) continue
      if (triggerOf(decision) > now) next = Math.min(next, triggerOf(decision))
      else this.act(slot, entry, decision, now)
    }
    for (const pending of this.pending.of(slot)) {
      if (pending.phase !== 'retrying') continue
      if (pending.retryAt > now) next = Math.min(next, pending.retryAt)
      else this.judgeAgain(pending, 'deadline')
    }
    if (next === Number.POSITIVE_INFINITY) this.queue.remove(slot)
    else this.queue.set(slot, next)
  }

  /** Records what passed while nobody could act on it, all of it at once, and tells what is left to judge. */
  private settleOverdue(slot: number, entry: Entry, now: number): readonly Decision[] {
    const { jobs, ports, recorder } = this.parts
    const { missed, rest } = catchUp(entry, jobs.handled(slot), now, ports.hash)
    const neverWill = (decision: Decision): boolean => decision.chosen === null && decision.windowStart <= now
    const over = [
      ...missed.map(each => ({ ...each, outcome: 'missed' as const })),
      ...rest
        .filter(neverWill)
        .map(decision => ({ decision, outcome: 'unschedulable' as const, reason: 'constraints' })),
    ]
      .filter(({ decision }) => this.pending.get(slot, decision.nominal) === undefined)
      .sort((a, b) => a.decision.nominal - b.decision.nominal)
    for (const { decision } of over) this.announce(decision)
    recorder.notExecuted(slot, over, now)
    return rest.filter(decision => !neverWill(decision))
  }

  private announce(decision: Decision): void {
    const { emit, debug } = this.parts.ports
    emit(events.decisionMade(decision))
    if (debug) for (const step of events.decisionSteps(decision)) emit(step)
  }

  /** Carries out the verdict on a period that asks for attention for the first time. */
  private act(slot: number, entry: Entry, decision: Decision, now: number): void {
    this.announce(decision)
    this.carryOut(slot, entry, decision, now, 'deadline')
  }

  private carryOut(slot: number, entry: Entry, decision: Decision, now: number, late: string): void {
    const { policy } = entry.schedule
    const handled = isHandled(this.parts.jobs.handled(slot), decision.nominal)
    const verdict = judge({ decision, policy, handled, active: this.isActive(slot), now })
    this.parts.ports.emit(events.triggered(decision, verdict.kind, now - triggerOf(decision)))
    switch (verdict.kind) {
      case 'execute':
        return this.execute(this.pending.add(slot, decision, 'starting'))
      case 'replace':
        return void this.replace(this.pending.add(slot, decision, 'replacing'))
      case 'skip':
        return this.settle(slot, decision, 'skipped', verdict.reason, now)
      case 'miss':
        return this.settle(slot, decision, 'missed', late, now)
      case 'unschedulable':
        return this.settle(slot, decision, 'unschedulable', 'constraints', now)
      case 'wait':
      case 'suspended':
      case 'alreadyHandled':
        return
    }
  }

  private settle(
    slot: number,
    decision: Decision,
    outcome: Exclude<Outcome, 'executed'>,
    reason: string,
    now: number,
  ): void {
    this.parts.recorder.notExecuted(slot, [{ decision, outcome, reason }], now)
  }

  /** Whether an execution of the job is there, or about to be. */
  private isActive(slot: number): boolean {
    return (
      this.parts.running.of(slot).length > 0 ||
      this.pending.of(slot).some(each => each.phase === 'starting' || each.phase === 'replacing')
    )
  }

  /** A period that had to wait is judged by the clock of now. */
  private judgeAgain(pending: Pending, late: string): void {
    this.pending.remove(pending)
    const entry = this.parts.jobs.entry(pending.slot)
    if (entry === undefined || entry.schedule.policy.suspend) return
    const tries = pending.tries
    this.carryOut(pending.slot, entry, pending.decision, this.now(), late)
    const again = this.pending.get(pending.slot, pending.decision.nominal)
    if (again !== undefined) again.tries = tries
  }

  private hasRoom(): boolean {
    return this.parts.running.count + this.parts.starter.count < this.parts.maxConcurrent
  }

  private execute(pending: Pending): void {
    if (!this.hasRoom()) {
      pending.phase = 'queued'
      this.queued.push(pending)
      this.parts.ports.emit(events.queued(pending.decision, this.queued.length))
      return
    }
    pending.phase = 'starting'
    void this.parts.starter.start(pending).then(started => {
      if (!started) this.retry(pending)
      this.parts.settled(pending.slot)
    })
  }

  /** One replacement of a job after the other: each ends the one before it. */
  private replace(pending: Pending): Promise<void> {
    return this.turns.take(pending.slot, () => this.takeOver(pending))
  }

  /** Ends every execution of the job, then starts the new one; its deadline was judged before. */
  private async takeOver(pending: Pending): Promise<void> {
    const { running, starter, ports } = this.parts
    await starter.settled(pending.slot)
    const old = running.of(pending.slot)
    for (const execution of old) ports.emit(events.replaced(execution))
    const dead = await Promise.all(old.map(execution => running.end(execution, 'replaced')))
    // A reload may have forgotten the period meanwhile, and judged it by its new definition.
    if (this.stopped || this.pending.get(pending.slot, pending.decision.nominal) !== pending) return
    if (!dead.every(Boolean)) return this.retry(pending)
    this.execute(pending)
    await starter.settled(pending.slot)
  }

  /** Not started for sure: tried again with growing pauses, at the latest when the deadline has passed. */
  private retry(pending: Pending): void {
    const { slot, decision } = pending
    const entry = this.parts.jobs.entry(slot)
    if (this.stopped || entry !== decision.job) {
      this.pending.remove(pending)
      return this.catchUp(entry === undefined ? [] : [slot])
    }
    const last = lastStart(entry.schedule.policy, decision.chosen!)
    pending.phase = 'retrying'
    pending.retryAt = retryTime(pending.tries, this.now(), last)
    pending.tries += 1
    this.parts.ports.emit(events.rescheduled(decision, printInstant(pending.retryAt), pending.tries))
    const planned = this.queue.at(slot) ?? Number.POSITIVE_INFINITY
    this.queue.set(slot, Math.min(planned, pending.retryAt))
    this.arm()
  }
}
