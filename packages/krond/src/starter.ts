import { type Decision, type KronError, printInstant } from '@kron/core'
import { type Entry, handledRecordOf } from '@kron/host'
import type { Emit } from './event.ts'
import * as events from './event.ts'
import { type Ending, type Execution, UNSEEN } from './execution.ts'
import type { Pending } from './pending.ts'
import type { Ports, StartedProcess, StartRequest } from './ports.ts'
import type { Recorder } from './recorder.ts'
import type { RunningExecutions } from './running.ts'

export interface StarterParts {
  readonly ports: Ports
  readonly recorder: Recorder
  readonly running: RunningExecutions
  /** Called whenever an execution of the slot has ended and its outcome is durable. */
  readonly ended: (slot: number) => void
}

/** The write-ahead sequence: intent → spawn → started → finished, each durable before the next. */
export class Starter {
  private readonly parts: StarterParts
  private readonly starting = new Map<Pending, Promise<boolean>>()
  private readonly emit: Emit
  private withoutProcess = 0

  constructor(parts: StarterParts) {
    this.parts = parts
    this.emit = parts.ports.emit
  }

  /** Starts that have no process yet: with what runs, they are what takes up places. */
  get count(): number {
    return this.withoutProcess
  }

  /** Whether something of the slot is between its intent and its durable start. */
  isBusy(slot: number): boolean {
    for (const pending of this.starting.keys()) if (pending.slot === slot) return true
    return false
  }

  /** Resolves when nothing (of the slot) is between its intent and its durable start. */
  async settled(slot?: number): Promise<void> {
    const open = [...this.starting].filter(([pending]) => slot === undefined || pending.slot === slot)
    await Promise.all(open.map(([, start]) => start))
  }

  /** True if the period is executed; false if certainly no process was created. */
  async start(pending: Pending): Promise<boolean> {
    const start = this.sequence(pending)
    this.starting.set(pending, start)
    try {
      return await start
    } finally {
      this.starting.delete(pending)
    }
  }

  private async sequence(pending: Pending): Promise<boolean> {
    const { ports } = this.parts
    const { decision } = pending
    const executionId = ports.newId()
    this.withoutProcess++
    const process = await this.create(pending, executionId)
    this.withoutProcess--
    if (process === 'none') return false
    if (process === 'failed') return true
    const execution: Execution = {
      id: executionId,
      slot: pending.slot,
      entry: entryOf(decision),
      periodId: printInstant(decision.nominal),
      chosenTime: printInstant(decision.chosen!),
      seedHash: decision.seedHash,
      pid: process === 'unknown' ? 0 : process.pid,
      processStart: process === 'unknown' ? 0 : process.processStart,
      startedAt: process === 'unknown' ? ports.clock.now() : process.startedAt,
      adopted: false,
    }
    await this.recordStart(pending, execution, process)
    return true
  }

  /** The process, with its intent durable before it; `none`: there certainly is none, and that is durable too. */
  private async create(
    { slot, decision }: Pending,
    executionId: string,
  ): Promise<StartedProcess | 'none' | 'unknown' | 'failed'> {
    const { ports, recorder } = this.parts
    const { identity } = decision.job
    const chosen = decision.chosen!
    const execution = {
      PeriodID: printInstant(decision.nominal),
      PID: 0,
      StartedAt: '',
      ChosenTime: printInstant(chosen),
      ExecutionID: executionId,
      BootID: ports.boot.id,
      // A clock set back puts the chosen time in the future again, but the process starts now.
      BootTime: Math.floor(ports.boot.time() - Math.max(0, ports.clock.now() - chosen * 1_000)),
      ProcessStart: 0,
    }
    if (!(await recorder.record(slot, identity, { kind: 'intended', execution }))) return 'failed'
    const request = { entry: entryOf(decision), executionId, nominal: decision.nominal, chosen }
    const process = await this.launch(request, decision)
    if (process === 'none') {
      const at = printInstant(Math.floor(ports.clock.now() / 1_000))
      await recorder.record(slot, identity, { kind: 'withdrawn', executionId, at })
    }
    return process
  }

  private async launch(
    request: StartRequest,
    decision: Decision,
  ): Promise<StartedProcess | 'none' | 'unknown'> {
    const { ports } = this.parts
    try {
      const answer = await ports.processes.start(request)
      if (!('refused' in answer)) return answer
      this.emit(events.failed(answer.refused, decision))
      return 'none'
    } catch (error) {
      this.emit(events.failed(error as KronError, decision))
      return 'unknown'
    }
  }

  private async recordStart(
    pending: Pending,
    execution: Execution,
    process: StartedProcess | 'unknown',
  ): Promise<void> {
    const { recorder, running } = this.parts
    const { slot, decision } = pending
    const now = Math.floor(execution.startedAt / 1_000)
    const { nominal, chosen, job } = decision
    const handled = recorder.markHandled(slot, job.schedule, [nominal], chosen!)
    recorder.pending.remove(pending)
    if (process !== 'unknown') {
      running.add(
        execution,
        process.ended.then(ending => this.finish(execution, ending)),
      )
    }
    const durable = await recorder.record(slot, decision.job.identity, {
      kind: 'started',
      executionId: execution.id,
      pid: execution.pid,
      processStart: execution.processStart,
      startedAt: printInstant(now),
      seedHash: execution.seedHash,
      handled: handledRecordOf(handled),
    })
    if (!durable) {
      // An execution that is not on record may not go on.
      if (process !== 'unknown') await this.kill(process, decision)
      return
    }
    this.emit(events.started(execution, execution.startedAt - decision.chosen! * 1_000))
    if (process === 'unknown') await this.finish(execution, UNSEEN)
  }

  private async kill({ pid, processStart }: StartedProcess, decision: Decision): Promise<void> {
    try {
      await this.parts.ports.processes.end(pid, processStart, 0)
    } catch (error) {
      this.emit(events.failed(error as KronError, decision))
    }
  }

  /** The end of an execution, ours or adopted. */
  async finish(execution: Execution, ending: Ending): Promise<void> {
    const { ports, recorder, running } = this.parts
    const now = ports.clock.now()
    const reason = running.reasonOf(execution.id) ?? (ending === UNSEEN ? 'unknown' : undefined)
    const durable = await recorder.record(execution.slot, execution.entry.identity, {
      kind: 'finished',
      executionId: execution.id,
      completedAt: printInstant(Math.floor(now / 1_000)),
      exitCode: ending.exitCode,
      ...(ending.signal === null ? {} : { signal: ending.signal }),
      ...(reason === undefined ? {} : { reason }),
    })
    running.remove(execution.id)
    if (!durable) return
    this.emit(events.finished(execution, ending, now - execution.startedAt, reason))
    this.parts.ended(execution.slot)
  }
}

/** The definition that was judged, even if a reload has replaced it since. */
const entryOf = (decision: Decision): Entry => decision.job as Entry
