import {
  type ActiveState,
  activeOf,
  decide,
  firstHandled,
  type Handled,
  handledOf,
  handledRecordOf,
  parseInstant,
  prev,
  printInstant,
  seen,
  startOffset,
} from '@kron/core'
import type { Entry } from '@kron/krontab/format'
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
  readonly store: Pick<StateStore, 'load' | 'lookAround' | 'setAside'>
}

/** Takes jobs in with what is known of them, and settles what an earlier daemon left running or unsaid. */
export class Recovery {
  private readonly parts: RecoveryParts
  private durable: Promise<boolean>[] = []
  private found: Promise<readonly Survivor[]> | undefined

  constructor(parts: RecoveryParts) {
    this.parts = parts
  }

  /** Must come before a series of `take`s. */
  async lookAround(): Promise<void> {
    this.found = undefined
    await this.parts.store.lookAround()
  }

  /** Resolves when all that was taken in is durable. */
  async settled(): Promise<void> {
    const durable = this.durable
    this.durable = []
    await Promise.all(durable)
  }

  /** Resolves with the slot of the job. */
  async take(entry: Entry): Promise<number> {
    const loaded = await this.parts.store.load(entry.identity)
    switch (loaded.kind) {
      case 'new':
        return this.takeNew(entry)
      case 'corrupt':
        return this.takeCorrupt(entry, loaded)
      case 'known': {
        const slot = this.parts.jobs.add(entry, handledOf(loaded.state), loaded.state.Seq)
        for (const active of activeOf(loaded.state))
          await this.reconcile(slot, entry, active, loaded.state.SeedHash)
        return slot
      }
    }
  }

  /** Looked for at most once, and only if some state needs it: it means reading all of /proc. */
  private survivors(): Promise<readonly Survivor[]> {
    this.found ??= this.parts.ports.processes.survivors()
    return this.found
  }

  private async takeNew(entry: Entry): Promise<number> {
    const { jobs, recorder } = this.parts
    const handled = firstHandled(entry.schedule, this.now())
    const slot = jobs.add(entry, handled, 0)
    this.durable.push(recorder.record(slot, entry.identity, seen(handled)))
    return slot
  }

  /** What the file held is unknown, so every period whose window has opened counts as handled. */
  private async takeCorrupt(entry: Entry, loaded: Loaded & { kind: 'corrupt' }): Promise<number> {
    const { jobs, recorder, ports, store } = this.parts
    const aside = await store.setAside(loaded.path)
    ports.emit(events.stateCorrupt(entry.identity, aside))
    const opened = Math.max(this.now(), Math.floor(loaded.modifiedAt / 1_000))
    const handled: Handled = {
      through: opened - startOffset(entry.schedule.window),
      above: [],
      firstSeen: opened,
    }
    const last = prev(entry.schedule.cron, entry.schedule.zone, handled.through)
    const before = last === undefined ? handled : { ...handled, through: last - 1 }
    const slot = jobs.add(entry, before, loaded.lastSeq)
    await recorder.record(slot, entry.identity, seen(before))
    jobs.setHandled(slot, handled)
    if (last !== undefined) {
      const decision = decide(entry, last, ports.hash)
      recorder.notExecuted(slot, [{ decision, outcome: 'missed', reason: 'state_corrupt' }], opened)
    }
    for (const survivor of await this.survivors()) {
      if (survivor.identity === entry.identity) await this.adopt(slot, entry, survivor)
    }
    return slot
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
    const nominal = parseInstant(intent.PeriodID)
    if (!nominal.ok) return
    const { seedHash } = decide(entry, nominal.value, this.parts.ports.hash)
    const handled = recorder.markHandled(slot, entry.schedule, [nominal.value], this.now())
    await recorder.record(slot, entry.identity, {
      kind: 'started',
      executionId: intent.ExecutionID,
      pid: survivor?.pid ?? 0,
      processStart: survivor?.processStart ?? 0,
      startedAt: intent.ChosenTime,
      seedHash,
      handled: handledRecordOf(handled),
    })
    const begun = {
      ...intent,
      StartedAt: intent.ChosenTime,
      PID: survivor?.pid ?? 0,
      ProcessStart: survivor?.processStart ?? 0,
    }
    const execution = executionOf(slot, entry, begun, seedHash)
    if (survivor === undefined) await starter.finish(execution, UNSEEN)
    else this.follow(execution)
  }

  private async adopt(slot: number, entry: Entry, survivor: Survivor): Promise<void> {
    const active: ActiveState = {
      PeriodID: survivor.periodId,
      PID: survivor.pid,
      StartedAt: survivor.chosenTime,
      ChosenTime: survivor.chosenTime,
      ExecutionID: survivor.executionId,
      BootID: this.parts.ports.boot.id,
      BootTime: 0,
      ProcessStart: survivor.processStart,
    }
    await this.parts.recorder.record(slot, entry.identity, { kind: 'adopted', execution: active })
    this.follow(executionOf(slot, entry, active, ''))
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

function executionOf(slot: number, entry: Entry, active: ActiveState, seedHash: string): Execution {
  const started = parseInstant(active.StartedAt)
  return {
    id: active.ExecutionID,
    slot,
    entry,
    periodId: active.PeriodID,
    chosenTime: active.ChosenTime,
    seedHash,
    pid: active.PID,
    processStart: active.ProcessStart,
    startedAt: started.ok ? started.value * 1_000 : 0,
    adopted: true,
  }
}
