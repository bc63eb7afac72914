import {
  catchUp,
  type Decision,
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
import type { RunningExecutions } from './running.ts'
import type { Starter } from './starter.ts'

const FIRST_RETRY = 1
const LONGEST_RETRY = 60

export interface LoopParts {
  readonly ports: Ports
  readonly jobs: JobTable
  readonly recorder: Recorder
  readonly running: RunningExecutions
  readonly starter: Starter
  readonly maxConcurrent: number
}

/**
 * The one owner of what is due: wakes at the next trigger, judges what is due, carries the verdicts out. Everything
 * that happens elsewhere comes back here as a call.
 */
export class Loop {
  readonly pending: PendingPeriods
  readonly waiting: Pending[] = []
  private readonly queue = new DueQueue()
  private readonly alarm: Alarm
  private readonly parts: LoopParts
  private readonly turns = new Map<number, Promise<void>>()
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

  /** Plans jobs that are new, changed, resumed or back after downtime. */
  catchUp(slots: Iterable<number>): void {
    const now = this.now()
    for (const slot of slots) this.visit(slot, now, true)
    this.arm()
  }

  /** The job is gone: what has not begun to start will not. */
  forget(slot: number): void {
    this.queue.remove(slot)
    for (const pending of this.pending.of(slot))
      if (pending.phase !== 'starting') this.pending.remove(pending)
  }

  /** Whether an execution of the job is about to be there. */
  isStarting(slot: number): boolean {
    return this.pending.of(slot).some(each => each.phase === 'starting' || each.phase === 'replacing')
  }

  /** No new triggers from here on; what is starting is allowed to become durable. */
  async stop(): Promise<void> {
    this.stopped = true
    this.alarm.clear()
    this.waiting.length = 0
    await this.parts.starter.settled()
  }

  /** A process has ended: a place is free. */
  slotFreed(): void {
    while (!this.stopped && this.waiting.length > 0 && this.hasRoom()) {
      const pending = this.waiting.shift()!
      if (this.pending.get(pending.slot, pending.decision.nominal) === pending)
        this.judgeAgain(pending, 'queue')
    }
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
    const { jumped } = this
    this.jumped = false
    for (let slot = this.queue.popDue(now); slot !== undefined; slot = this.queue.popDue(now)) {
      this.visit(slot, now, jumped)
    }
    this.arm()
  }

  private clockJumped({ kind, by }: ClockJump): void {
    this.parts.ports.emit(events.clockJumped(kind, by))
    if (kind === 'forward') this.jumped = true
    else for (const slot of this.parts.jobs.slots()) this.visit(slot, this.now(), false)
    this.arm()
  }

  /** Judges everything of one job that is due, and queues the job for its next trigger. */
  private visit(slot: number, now: number, catchingUp: boolean): void {
    const { jobs, ports } = this.parts
    const entry = jobs.entry(slot)
    if (entry === undefined || entry.schedule.policy.suspend) return void this.queue.remove(slot)
    const handled = jobs.handled(slot)
    let decisions: readonly Decision[]
    if (catchingUp) {
      const { missed, rest } = catchUp(entry, handled, now, ports.hash)
      const open = missed.filter(each => this.pending.get(slot, each.decision.nominal) === undefined)
      this.parts.recorder.notExecuted(
        slot,
        open.map(each => ({ ...each, outcome: 'missed' as const })),
        now,
      )
      decisions = rest
    } else decisions = plan(entry, handled, now, ports.hash)

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

  /** Carries out the verdict on a period that asks for attention for the first time. */
  private act(slot: number, entry: Entry, decision: Decision, now: number): void {
    this.parts.ports.emit(events.decisionMade(decision))
    this.carryOut(slot, entry, decision, now, 'deadline')
  }

  private carryOut(slot: number, entry: Entry, decision: Decision, now: number, late: string): void {
    const { policy } = entry.schedule
    const active = this.parts.running.of(slot).length > 0 || this.isStarting(slot)
    const verdict = judge({ decision, policy, handled: false, active, now })
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
    if (this.parts.jobs.entry(pending.slot) === undefined) return this.pending.remove(pending)
    if (!this.hasRoom()) {
      pending.phase = 'queued'
      this.waiting.push(pending)
      this.parts.ports.emit(events.queued(pending.decision, this.waiting.length))
      return
    }
    pending.phase = 'starting'
    void this.parts.starter.start(pending).then(started => {
      if (!started) this.retry(pending)
    })
  }

  /** One replacement of a job after the other: each ends the one before it. */
  private async replace(pending: Pending): Promise<void> {
    const { slot } = pending
    const turn = (this.turns.get(slot) ?? Promise.resolve()).then(() => this.takeOver(pending))
    this.turns.set(slot, turn)
    await turn
    if (this.turns.get(slot) === turn) this.turns.delete(slot)
  }

  /** Ends every execution of the job, then starts the new one; its deadline was judged before. */
  private async takeOver(pending: Pending): Promise<void> {
    const { running, starter, ports } = this.parts
    await starter.settled(pending.slot)
    const old = running.of(pending.slot)
    for (const execution of old) ports.emit(events.replaced(execution))
    const dead = await Promise.all(old.map(execution => running.end(execution, 'replaced')))
    if (this.stopped) return
    if (!dead.every(Boolean)) return this.retry(pending)
    this.execute(pending)
    await starter.settled(pending.slot)
  }

  /** Not started for sure: tried again with growing pauses, at the latest when the deadline has passed. */
  private retry(pending: Pending): void {
    if (this.stopped || this.parts.jobs.entry(pending.slot) === undefined) return this.pending.remove(pending)
    const now = this.now()
    const pause = Math.min(FIRST_RETRY * 2 ** pending.tries, LONGEST_RETRY)
    const deadline = lastStart(pending.decision.job.schedule.policy, pending.decision.chosen!) + 1
    pending.phase = 'retrying'
    pending.tries += 1
    pending.retryAt = Math.max(now, Math.min(now + pause, deadline))
    this.parts.ports.emit(events.rescheduled(pending.decision, printInstant(pending.retryAt), pending.tries))
    const planned = this.queue.at(pending.slot) ?? Number.POSITIVE_INFINITY
    this.queue.set(pending.slot, Math.min(planned, pending.retryAt))
    this.arm()
  }
}
