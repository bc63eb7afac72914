import { decide, firstHandled, type Handled, parseInstant, prev, printInstant, startOffset } from '@kron/core'
import { type ActiveState, activeOf, type Entry, handledOf, handledRecordOf, seen } from '@kron/host'
import * as events from './event.ts'
import { type Execution, UNSEEN } from './execution.ts'
import type { JobTable } from './job-table.ts'
import type { Ports, Survivor } from './ports.ts'
import type { Recorder } from './recorder.ts'
import type { RunningExecutions } from './running.ts'
import type { Starter } from './starter.ts'
import type { Loaded, StateStore } from './state-store.ts'

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

  /** Everything is recorded in one turn of the loop, so that a crash leaves all of it or nothing. */
  private async settleCorrupt(
    slot: number,
    entry: Entry,
    loaded: Loaded & { kind: 'corrupt' },
  ): Promise<void> {
    const { jobs, recorder, ports, store } = this.parts
    const { identity, schedule } = entry
    const alive = (await this.survivors()).filter(each => isCredible(each, entry))
    ports.emit(events.stateCorrupt(identity, loaded.aside))
    const handled = jobs.handled(slot)
    const last = prev(schedule.cron, schedule.zone, handled.through)
    const before = last === undefined ? handled : { ...handled, through: last - 1 }
    const durable = [recorder.record(slot, identity, seen(before))]
    for (const survivor of alive) {
      const execution = activeFrom(survivor, ports.boot.id)
      durable.push(recorder.record(slot, identity, { kind: 'adopted', execution }))
      this.follow(executionOf(slot, entry, execution, ''))
    }
    if (last !== undefined && !alive.some(each => each.periodId === printInstant(last))) {
      const decision = decide(entry, last, ports.hash)
      ports.emit(events.decisionMade(decision))
      recorder.notExecuted(slot, [{ decision, outcome: 'missed', reason: 'state_corrupt' }], this.now())
    }
    await Promise.all(durable)
    await store.flush()
  }

  private async reconcile(slot: number, entry: Entry, active: ActiveState, seedHash: string): Promise<void> {
    const { ports, starter } = this.parts
    const sameBoot = active.BootID === ports.boot.id
    if (active.PID !== 0) {
      const execution = executionOf(slot, entry, active, seedHash)
      if (sameBoot && ports.processes.isAlive(active.PID, active.ProcessStart)) {
        return this.follow(execution)
      }
      return starter.finish(execution, UNSEEN)
    }
    if (sameBoot && ports.boot.time() < active.BootTime) {
      // The chosen time of this intent has not come: nothing can have run.
      await this.parts.recorder.record(slot, entry.identity, {
        kind: 'withdrawn',
        executionId: active.ExecutionID,
        at: printInstant(this.now()),
      })
      return
    }
    const survivor = (await this.survivors()).find(each => each.executionId === active.ExecutionID)
    await this.presumeStarted(slot, entry, active, survivor)
  }

  /** An intent that may have run is executed: found alive or not, it never runs again. */
  private async presumeStarted(
    slot: number,
    entry: Entry,
    intent: ActiveState,
    survivor: Survivor | undefined,
  ): Promise<void> {
    const { recorder, starter } = this.parts
    const nominal = secondsOf(intent.PeriodID)
    const { seedHash } = decide(entry, nominal, this.parts.ports.hash)
    const chosen = secondsOf(intent.ChosenTime)
    const handled = recorder.markHandled(slot, entry.schedule, [nominal], chosen)
    const begun = {
      ...intent,
      StartedAt: intent.ChosenTime,
      PID: survivor?.pid ?? 0,
      ProcessStart: survivor?.processStart ?? 0,
    }
    const durable = recorder.record(slot, entry.identity, {
      kind: 'started',
      executionId: intent.ExecutionID,
      pid: begun.PID,
      processStart: begun.ProcessStart,
      startedAt: begun.StartedAt,
      seedHash,
      handled: handledRecordOf(handled),
    })
    const execution = executionOf(slot, entry, begun, seedHash)
    if (survivor === undefined) await starter.finish(execution, UNSEEN)
    else this.follow(execution)
    await durable
  }

  /** An adopted execution obeys concurrency, time-out and history like our own; only its exit code stays unseen. */
  private follow(execution: Execution): void {
    const { ports, running, starter } = this.parts
    const gone = ports.processes.gone(execution.pid, execution.processStart)
    running.add(
      execution,
      gone.then(() => starter.finish(execution, UNSEEN)),
    )
    ports.emit(events.adopted(execution))
  }

  private now(): number {
    return Math.floor(this.parts.ports.clock.now() / 1_000)
  }
}

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
    startedAt: secondsOf(active.StartedAt) * 1_000,
    adopted: true,
  }
}
