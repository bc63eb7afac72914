import { type Decision, isHandled, judge, lastStart, printInstant, triggerOf } from '@kron/core'
import type { Entry } from '@kron/host'
import * as events from '../log/event.ts'
import type { JobTable } from './job-table.ts'
import type { Pending, PendingPeriods } from './pending.ts'
import type { Ports } from './ports.ts'
import type { NotExecutedPeriod, Recorder } from './recorder.ts'
import { retryTime } from './retry.ts'
import type { RunningExecutions } from './running.ts'
import type { Starter } from './starter.ts'
import { Turns } from './turns.ts'

/** Smaller movements of the clock are adjustment, in milliseconds. */
const JUMP = 1_000

export interface VerdictParts {
  readonly ports: Ports
  readonly jobs: JobTable
  readonly recorder: Recorder
  readonly running: RunningExecutions
  readonly starter: Starter
  readonly maxConcurrent: number
  /** Called whenever a start of the slot has succeeded or come to nothing. */
  readonly settled: (slot: number) => void
}

/** Who is told of what has to be looked at again. */
export interface Replanning {
  /** The slot asks for attention at this second, if not before. */
  wakeAt(slot: number, at: number): void
  catchUp(slots: Iterable<number>): void
}

interface Judgement {
  readonly now: number
  /** When the job was last seen to have no unnamed period that closed; one that waited is judged between such looks. */
  readonly lookedAt: number
  /** The reason if it is too late. */
  readonly late: string
}

/** Judges periods that are due and carries the verdicts out, now or when there is a place. */
export class Verdicts {
  private readonly parts: VerdictParts
  private readonly pending: PendingPeriods
  private readonly replanning: Replanning
  private readonly turns = new Turns()
  /** Starts that wait for a place, in order. */
  private queued: Pending[] = []
  private stopped = false

  constructor(parts: VerdictParts, replanning: Replanning) {
    this.parts = parts
    this.pending = parts.recorder.pending
    this.replanning = replanning
  }

  get waiting(): readonly Pending[] {
    return this.queued
  }

  /** Nothing of the slot waits for a place any more. */
  forget(slot: number): void {
    this.queued = this.queued.filter(each => each.slot !== slot)
  }

  stop(): void {
    this.stopped = true
    this.queued = []
  }

  /** Gives the places there are to those who wait. */
  fillPlaces(): void {
    while (!this.stopped && this.queued.length > 0 && this.hasRoom())
      this.judgeAgain(this.queued.shift()!, 'queue')
  }

  announce(decision: Decision): void {
    const { emit, debug } = this.parts.ports
    emit(events.decisionMade(decision))
    if (debug) for (const step of events.decisionSteps(decision)) emit(step)
  }

  /** Carries out the verdict on a period that asks for attention for the first time. */
  act(slot: number, entry: Entry, decision: Decision, now: number): void {
    this.announce(decision)
    this.carryOut(slot, entry, decision, { now, lookedAt: now, late: 'deadline' })
  }

  /** A period that had to wait is judged by the clock of now. */
  judgeAgain(pending: Pending, late: string): void {
    this.pending.remove(pending)
    const entry = this.parts.jobs.entry(pending.slot)
    if (entry === undefined || entry.schedule.policy.suspend) return
    const { tries, refusal } = pending
    const lookedAt = triggerOf(pending.decision)
    this.carryOut(pending.slot, entry, pending.decision, { now: this.now(), lookedAt, late: refusal ?? late })
    const again = this.pending.get(pending.slot, pending.decision.nominal)
    if (again === undefined) return
    again.tries = tries
    again.refusal = refusal
  }

  private carryOut(slot: number, entry: Entry, decision: Decision, judgement: Judgement): void {
    const { policy } = entry.schedule
    const { now, late } = judgement
    const handled = isHandled(this.parts.jobs.handled(slot), decision.nominal)
    const verdict = judge({ decision, policy, handled, active: this.isActive(slot), now })
    this.parts.ports.emit(events.triggered(decision, verdict.kind, now - triggerOf(decision)))
    switch (verdict.kind) {
      case 'execute':
        return this.execute(this.pending.add(slot, decision, 'starting'))
      case 'replace':
        // What runs is not ended for a start that cannot be recorded.
        if (!this.mayStart()) return this.enqueue(this.pending.add(slot, decision, 'queued'))
        return void this.replace(this.pending.add(slot, decision, 'replacing'))
      case 'skip':
        return this.settle(slot, { decision, outcome: 'skipped', reason: verdict.reason }, judgement)
      case 'miss':
        return this.settle(slot, { decision, outcome: 'missed', reason: late }, judgement)
      case 'unschedulable':
        return this.settle(slot, { decision, outcome: 'unschedulable', reason: 'constraints' }, judgement)
      case 'wait':
      case 'suspended':
      case 'alreadyHandled':
        return
    }
  }

  private settle(slot: number, period: NotExecutedPeriod, { now, lookedAt }: Judgement): void {
    this.parts.recorder.notExecuted(slot, [period], now, lookedAt)
  }

  /** Whether an execution of the job is there, or about to be. */
  private isActive(slot: number): boolean {
    return (
      this.parts.running.of(slot).length > 0 ||
      this.pending.of(slot).some(each => each.phase === 'starting' || each.phase === 'replacing')
    )
  }

  private hasRoom(): boolean {
    const { running, starter, maxConcurrent } = this.parts
    return running.count + starter.count < maxConcurrent && this.mayStart()
  }

  private mayStart(): boolean {
    return this.parts.ports.mayStart?.() ?? true
  }

  private enqueue(pending: Pending): void {
    pending.phase = 'queued'
    this.queued.push(pending)
    this.parts.ports.emit(events.queued(pending.decision, this.queued.length))
  }

  private execute(pending: Pending): void {
    if (!this.hasRoom()) return this.enqueue(pending)
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
    const offset = this.clockOffset()
    await starter.settled(pending.slot)
    const old = running.of(pending.slot)
    for (const execution of old) ports.emit(events.replaced(execution))
    const dead = await Promise.all(old.map(execution => running.end(execution, 'replaced')))
    // A reload may have forgotten the period meanwhile, and judged it by its new definition.
    if (this.stopped || this.pending.get(pending.slot, pending.decision.nominal) !== pending) return
    // Waiting makes nobody late, but a clock that was set or slept meanwhile makes late, or early.
    const jumped = Math.abs(this.clockOffset() - offset) > JUMP
    if (jumped || !dead.every(Boolean)) return this.retry(pending)
    this.execute(pending)
    await starter.settled(pending.slot)
  }

  /** Wall minus monotonic time, in milliseconds. */
  private clockOffset(): number {
    const { clock } = this.parts.ports
    return clock.monotonic === undefined ? 0 : clock.now() - clock.monotonic()
  }

  /** Not started for sure: tried again with growing pauses, at the latest when the deadline has passed. */
  private retry(pending: Pending): void {
    const { slot, decision } = pending
    const entry = this.parts.jobs.entry(slot)
    if (this.stopped || entry !== decision.job) {
      this.pending.remove(pending)
      return this.replanning.catchUp(entry === undefined ? [] : [slot])
    }
    const last = lastStart(entry.schedule.policy, decision.chosen!)
    pending.phase = 'retrying'
    pending.retryAt = retryTime(pending.tries, this.now(), last)
    pending.tries += 1
    this.parts.ports.emit(events.rescheduled(decision, printInstant(pending.retryAt), pending.tries))
    this.replanning.wakeAt(slot, pending.retryAt)
  }

  private now(): number {
    return Math.floor(this.parts.ports.clock.now() / 1_000)
  }
}
