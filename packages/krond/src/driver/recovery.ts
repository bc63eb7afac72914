import {
  decide,
  firstHandled,
  type Handled,
  isHandled,
  parseInstant,
  prev,
  printInstant,
  startOffset,
} from '@kron/core'
import {
  type ActiveState,
  activeOf,
  claimPrefix,
  type Entry,
  handledOf,
  handledRecordOf,
  seen,
} from '@kron/host'
import * as events from '../log/event.ts'
import type { Loaded, StateStore } from '../store/state-store.ts'
import { type Execution, UNSEEN } from './execution.ts'
import type { JobTable } from './job-table.ts'
import type { ClaimedPeriod, Ports, Run, Survivor, Trace } from './ports.ts'
import type { Recorder } from './recorder.ts'
import type { RunningExecutions } from './running.ts'
import { LAUNCHER, type Starter } from './starter.ts'

export interface RecoveryParts {
  readonly ports: Ports
  readonly jobs: JobTable
  readonly recorder: Recorder
  readonly running: RunningExecutions
  readonly starter: Starter
  readonly store: Pick<StateStore, 'load' | 'lookAround' | 'flush'>
}

/** Takes jobs in with what is known of them, and settles what an earlier daemon left running or unsaid. */
export class Recovery {
  private readonly parts: RecoveryParts
  private settling: Promise<unknown>[] = []
  private found: Promise<readonly Survivor[]> | undefined

  constructor(parts: RecoveryParts) {
    this.parts = parts
  }

  /** Before a series of `look`s, unless the store has just been opened. */
  async lookAround(): Promise<void> {
    this.found = undefined
    await this.parts.store.lookAround()
  }

  /** What is known of a job; fails, and changes nothing, if it cannot be used safely. */
  look(entry: Entry): Promise<Loaded> {
    return this.parts.store.load(entry.identity)
  }

  /** The slot of the job; what its state needs done is done when `settled` resolves. */
  take(entry: Entry, loaded: Loaded): number {
    const { jobs } = this.parts
    switch (loaded.kind) {
      case 'new':
        return this.takeNew(entry)
      case 'corrupt': {
        const seq = loaded.journalled?.Seq ?? 0
        const slot = jobs.add(entry, handledAfterLoss(entry, loaded, this.now()), seq)
        this.settle(this.settleCorrupt(slot, entry, loaded))
        return slot
      }
      case 'resting':
        return jobs.add(entry, loaded.handled, loaded.seq)
      case 'known': {
        const { state } = loaded
        const slot = jobs.add(entry, handledOf(state), state.Seq)
        for (const active of activeOf(state)) this.settle(this.reconcile(slot, entry, active, state.SeedHash))
        return slot
      }
    }
  }

  /** Resolves when all that was taken in is settled and durable. */
  async settled(): Promise<void> {
    const { settling } = this
    this.settling = []
    await Promise.all(settling)
  }

  private settle(work: Promise<unknown>): void {
    // Whether it failed is asked for by `settled`, after other jobs have been taken in.
    work.catch(() => {})
    this.settling.push(work)
  }

  /** Looked for at most once, and only if some state needs it: it means reading all of /proc. */
  private survivors(): Promise<readonly Survivor[]> {
    this.found ??= this.parts.ports.processes.survivors()
    return this.found
  }

  private takeNew(entry: Entry): number {
    const { jobs, recorder } = this.parts
    const handled = firstHandled(entry.schedule, this.now())
    const slot = jobs.add(entry, handled, 0)
    this.settle(recorder.record(slot, entry.identity, seen(handled)))
    return slot
  }

  /**
   * Removes claims that an earlier daemon left although their period is handled. A claim of an unhandled period stays:
   * it keeps the period from running again.
   */
  async sweepClaims(): Promise<void> {
    const { jobs, ports } = this.parts
    const claims = await ports.processes.claims()
    if (claims.length === 0) return
    const slots = new Map<string, number>()
    for (const slot of jobs.slots()) slots.set(claimPrefix(jobs.entry(slot)!.identity), slot)
    for (const { prefix, nominal } of claims) {
      const slot = slots.get(prefix)
      if (slot === undefined || this.isActive(slot, nominal)) continue
      if (isHandled(jobs.handled(slot), nominal)) ports.processes.release(jobs.entry(slot)!.identity, nominal)
    }
  }

  private isActive(slot: number, nominal: number): boolean {
    return this.parts.running.of(slot).some(each => each.periodId === printInstant(nominal))
  }

  /** Everything is recorded in one turn of the loop, so that a crash leaves all of it or nothing. */
  private async settleCorrupt(
    slot: number,
    entry: Entry,
    loaded: Loaded & { kind: 'corrupt' },
  ): Promise<void> {
    const { jobs, recorder, ports, store } = this.parts
    const { identity, schedule } = entry
    const claimed = await this.claimedBy(entry)
    const alive = await this.runsOf(entry, claimed)
    ports.emit(events.stateCorrupt(identity, loaded.aside))
    const opened = jobs.handled(slot)
    const above = claimed.map(each => each.nominal).filter(each => each > opened.through)
    const handled = { ...opened, above: [...new Set([...opened.above, ...above])].sort((a, b) => a - b) }
    jobs.setHandled(slot, handled)
    const last = prev(schedule.cron, schedule.zone, handled.through)
    const before = last === undefined ? handled : { ...handled, through: last - 1 }
    const durable = [recorder.record(slot, identity, seen(before))]
    for (const { active, run } of alive) {
      durable.push(recorder.record(slot, identity, { kind: 'adopted', execution: active }))
      this.follow(executionOf(slot, entry, active, ''), run)
    }
    if (last !== undefined && !alive.some(each => each.active.PeriodID === printInstant(last))) {
      const decision = decide(entry, last, ports.hash)
      ports.emit(events.decisionMade(decision))
      recorder.notExecuted(slot, [{ decision, outcome: 'missed', reason: 'state_corrupt' }], this.now())
    }
    await Promise.all(durable)
    await store.flush()
  }

  private async claimedBy({ identity }: Entry): Promise<readonly ClaimedPeriod[]> {
    const prefix = claimPrefix(identity)
    return (await this.parts.ports.processes.claims()).filter(each => each.prefix === prefix)
  }

  /** The job's living runs: by their claims, and those of daemons before there were claims. */
  private async runsOf(entry: Entry, claimed: readonly ClaimedPeriod[]): Promise<readonly LivingRun[]> {
    const { processes, boot } = this.parts.ports
    const alive: LivingRun[] = []
    for (const { nominal, executionId } of claimed) {
      const periodId = printInstant(nominal)
      const trace = await processes.follow(entry, periodId)
      if (trace.kind !== 'running') continue
      const chosen = decide(entry, nominal, this.parts.ports.hash).chosen
      alive.push({
        run: trace.run,
        active: {
          PeriodID: periodId,
          PID: trace.run.pid,
          StartedAt: printInstant(Math.floor(trace.run.startedAt / 1_000)),
          ChosenTime: chosen === null ? periodId : printInstant(chosen),
          ExecutionID: executionId ?? '',
          BootID: boot.id,
          BootTime: 0,
          ProcessStart: trace.run.processStart,
          Launcher: LAUNCHER,
          Claims: processes.claimsId,
          ShimPID: trace.run.shimPid,
        },
      })
    }
    for (const survivor of await this.survivors()) {
      const isKnown = alive.some(each => each.active.ExecutionID === survivor.executionId)
      if (isKnown || !isCredible(survivor, entry)) continue
      const active = activeFrom(survivor, boot.id)
      const run = processes.attach(entry, active)
      if (run !== undefined) alive.push({ active, run })
    }
    return alive
  }

  private async reconcile(slot: number, entry: Entry, active: ActiveState, seedHash: string): Promise<void> {
    const { recorder, starter } = this.parts
    const trace = await this.trace(entry, active)
    if (active.StartedAt === '') {
      if (trace.kind !== 'never') return this.presumeStarted(slot, entry, active, trace)
      const at = printInstant(this.now())
      const executionId = active.ExecutionID
      await recorder.record(slot, entry.identity, { kind: 'withdrawn', executionId, at })
      return
    }
    const execution = executionOf(slot, entry, active, seedHash)
    if (trace.kind === 'running') this.follow(execution, trace.run)
    else await starter.finish(execution, trace.kind === 'ended' ? trace.ending : UNSEEN)
  }

  /**
   * What became of an execution. Its claim tells it for certain, in the same boot and the same claims directory;
   * without one, whatever is not certain may have run.
   */
  private async trace(entry: Entry, active: ActiveState): Promise<Trace> {
    const { processes, boot } = this.parts.ports
    const isSameBoot = active.BootID === boot.id
    const isIntent = active.StartedAt === ''
    if (active.Launcher === LAUNCHER && isSameBoot && active.Claims === processes.claimsId) {
      const trace = await processes.follow(entry, active.PeriodID)
      if (trace.kind !== 'never' || isIntent) return trace
    }
    const end = await processes.endRecord(active.ExecutionID)
    if (end !== undefined) return end
    if (!isSameBoot) return { kind: 'unknown' }
    if (active.PID !== 0) return runningOrUnknown(processes.attach(entry, active))
    if (active.Launcher !== undefined) return { kind: 'unknown' }
    // The chosen time of this intent has not come: nothing can have run.
    if (boot.time() < active.BootTime) return { kind: 'never' }
    const survivor = (await this.survivors()).find(each => each.executionId === active.ExecutionID)
    if (survivor === undefined) return { kind: 'unknown' }
    return runningOrUnknown(
      processes.attach(entry, { ...active, PID: survivor.pid, ProcessStart: survivor.processStart }),
    )
  }

  /** An intent that may have run is executed: found alive or not, it never runs again. */
  private async presumeStarted(
    slot: number,
    entry: Entry,
    intent: ActiveState,
    trace: Exclude<Trace, { kind: 'never' }>,
  ): Promise<void> {
    const { recorder, starter } = this.parts
    const nominal = secondsOf(intent.PeriodID)
    const { seedHash } = decide(entry, nominal, this.parts.ports.hash)
    const handled = recorder.markHandled(slot, entry.schedule, [nominal], secondsOf(intent.ChosenTime))
    const run = trace.kind === 'running' ? trace.run : undefined
    const startedAt = run?.startedAt ?? (trace.kind === 'ended' ? trace.startedAt : undefined)
    const begun: ActiveState = {
      ...intent,
      StartedAt: startedAt === undefined ? intent.ChosenTime : printInstant(Math.floor(startedAt / 1_000)),
      PID: run?.pid ?? 0,
      ProcessStart: run?.processStart ?? 0,
      ShimPID: run?.shimPid ?? 0,
    }
    const durable = recorder.record(slot, entry.identity, {
      kind: 'started',
      executionId: intent.ExecutionID,
      pid: begun.PID,
      processStart: begun.ProcessStart,
      shimPid: begun.ShimPID ?? 0,
      startedAt: begun.StartedAt,
      seedHash,
      handled: handledRecordOf(handled),
    })
    const execution = executionOf(slot, entry, begun, seedHash)
    if (run !== undefined) this.follow(execution, run)
    else await starter.finish(execution, trace.kind === 'ended' ? trace.ending : UNSEEN)
    await durable
  }

  /** An adopted execution obeys concurrency, timeout and history like our own. */
  private follow(execution: Execution, run: Run): void {
    const { ports, running, starter } = this.parts
    const recorded = run.ended.then(ending => starter.finish(execution, ending))
    running.add(execution, run, recorded)
    ports.emit(events.adopted(execution))
  }

  private now(): number {
    return Math.floor(this.parts.ports.clock.now() / 1_000)
  }
}

interface LivingRun {
  readonly active: ActiveState
  readonly run: Run
}

const runningOrUnknown = (run: Run | undefined): Trace =>
  run === undefined ? { kind: 'unknown' } : { kind: 'running', run }

/** What the file held is unknown, so every period whose window has opened counts as handled. */
function handledAfterLoss({ schedule }: Entry, loaded: Loaded & { kind: 'corrupt' }, now: number): Handled {
  const opened = Math.max(now, Math.floor(loaded.modifiedAt / 1_000))
  const known = loaded.journalled === undefined ? undefined : handledOf(loaded.journalled)
  const through = Math.max(opened - startOffset(schedule.window), known?.through ?? 0)
  return { through, above: known?.above.filter(each => each > through) ?? [], firstSeen: opened }
}

/** Nothing but its environment says that it is the job's; and what it says must make a state that can be read again. */
function isCredible({ identity, periodId, chosenTime, mayBeOf }: Survivor, entry: Entry): boolean {
  if (identity !== entry.identity || mayBeOf?.(entry) === false) return false
  return parseInstant(periodId).ok && parseInstant(chosenTime).ok
}

function secondsOf(time: string): number {
  const instant = parseInstant(time)
  return instant.ok ? instant.value : 0
}

const activeFrom = (survivor: Survivor, bootId: string): ActiveState => ({
  PeriodID: survivor.periodId,
  PID: survivor.pid,
  StartedAt: survivor.chosenTime,
  ChosenTime: survivor.chosenTime,
  ExecutionID: survivor.executionId,
  BootID: bootId,
  BootTime: 0,
  ProcessStart: survivor.processStart,
})

function executionOf(slot: number, entry: Entry, active: ActiveState, seedHash: string): Execution {
  return {
    id: active.ExecutionID,
    slot,
    entry,
    periodId: active.PeriodID,
    chosenTime: active.ChosenTime,
    seedHash,
    pid: active.PID,
    processStart: active.ProcessStart,
    shimPid: active.ShimPID ?? 0,
    startedAt: secondsOf(active.StartedAt) * 1_000,
    adopted: true,
  }
}
