import { type Decision, type KronError, lastStart, printInstant } from '@kron/core'
import { type Entry, handledRecordOf } from '@kron/host'
import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'
import { type Ending, type Execution, UNSEEN } from './execution.ts'
import type { Pending } from './pending.ts'
import type { Ports, Run, StartAnswer } from './ports.ts'
import type { Recorder } from './recorder.ts'
import type { RunningExecutions } from './running.ts'

/** The protocol of the launcher that made an intent: only these are judged by claims. */
export const LAUNCHER = 'shim/1'

/** Seconds for which the starts of one wake-up may take: nobody is late because others were started first. */
export const LONGEST_BURST = 10

export interface StarterParts {
  readonly ports: Ports
  readonly recorder: Recorder
  readonly running: RunningExecutions
  /** Called whenever an execution of the slot has ended and its outcome is durable. */
  readonly ended: (slot: number) => void
}

/** A command that was, or may have been, executed. */
type Created =
  | { readonly kind: 'running'; readonly run: Run }
  | { readonly kind: 'over'; readonly ending: Ending; readonly startedAt: number }

/** The write-ahead sequence: intent → start → started → finished, each durable before the next. */
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

  /** True if the period is executed; false if certainly nothing was executed. */
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
    const executionId = this.parts.ports.newId()
    this.withoutProcess++
    const created = await this.create(pending, executionId)
    this.withoutProcess--
    if (created === 'refused') return false
    if (created !== 'unrecorded') await this.recordStart(pending, executionId, created)
    return true
  }

  /** Makes the intent durable, then starts. `refused`: certainly nothing was executed, and that is durable, too. */
  private async create(pending: Pending, executionId: string): Promise<Created | 'refused' | 'unrecorded'> {
    const { ports, recorder } = this.parts
    const { slot, decision } = pending
    const { identity } = decision.job
    const chosen = decision.chosen!
    const now = ports.clock.now()
    const execution = {
      PeriodID: printInstant(decision.nominal),
      PID: 0,
      StartedAt: '',
      ChosenTime: printInstant(chosen),
      ExecutionID: executionId,
      BootID: ports.boot.id,
      // A clock set back puts the chosen time in the future again, but the process starts now.
      BootTime: Math.floor(ports.boot.time() - Math.max(0, now - chosen * 1_000)),
      ProcessStart: 0,
      Launcher: LAUNCHER,
      Claims: ports.processes.claimsId,
    }
    if (!(await recorder.record(slot, identity, { kind: 'intended', execution }))) return 'unrecorded'
    const entry = entryOf(decision)
    const last = Math.max(lastStart(entry.schedule.policy, chosen), Math.floor(now / 1_000) + LONGEST_BURST)
    const answer = await ports.processes.start({
      entry,
      executionId,
      nominal: decision.nominal,
      chosen,
      lastStart: last,
    })
    if (answer.kind !== 'refused') return this.created(answer, decision)
    this.emit(events.failed(answer.error, decision))
    pending.refusal = answer.error.message
    const at = printInstant(Math.floor(ports.clock.now() / 1_000))
    await recorder.record(slot, identity, { kind: 'withdrawn', executionId, at })
    return 'refused'
  }

  private created(answer: Exclude<StartAnswer, { kind: 'refused' }>, decision: Decision): Created {
    const unseen: Created = { kind: 'over', ending: UNSEEN, startedAt: this.parts.ports.clock.now() }
    switch (answer.kind) {
      case 'started':
        return { kind: 'running', run: answer.run }
      case 'unknown':
        this.emit(events.failed(answer.error, decision))
        return unseen
      case 'already': {
        const { trace } = answer
        this.emit(events.claimedBefore(decision, trace.kind))
        if (trace.kind === 'running') return trace
        return trace.kind === 'ended' ? { ...trace, kind: 'over' } : unseen
      }
    }
  }

  private async recordStart(pending: Pending, executionId: string, created: Created): Promise<void> {
    const { recorder, running } = this.parts
    const { slot, decision } = pending
    const { nominal, chosen, job } = decision
    const run = created.kind === 'running' ? created.run : undefined
    const execution: Execution = {
      id: executionId,
      slot,
      entry: entryOf(decision),
      periodId: printInstant(nominal),
      chosenTime: printInstant(chosen!),
      seedHash: decision.seedHash,
      pid: run?.pid ?? 0,
      processStart: run?.processStart ?? 0,
      shimPid: run?.shimPid ?? 0,
      startedAt: created.kind === 'running' ? created.run.startedAt : created.startedAt,
      adopted: false,
    }
    const handled = recorder.markHandled(slot, job.schedule, [nominal], chosen!)
    recorder.pending.remove(pending)
    if (run !== undefined) {
      const recorded = run.ended.then(ending => this.finish(execution, ending))
      running.add(execution, run, recorded)
    }
    const isDurable = await recorder.record(slot, job.identity, {
      kind: 'started',
      executionId,
      pid: execution.pid,
      processStart: execution.processStart,
      shimPid: execution.shimPid,
      startedAt: printInstant(Math.floor(execution.startedAt / 1_000)),
      seedHash: execution.seedHash,
      handled: handledRecordOf(handled),
    })
    if (!isDurable) return this.endUnrecorded(run, decision)
    this.emit(events.started(execution, execution.startedAt - chosen! * 1_000))
    if (created.kind === 'over') await this.finish(execution, created.ending)
  }

  /** An execution that is not on record may not go on. */
  private async endUnrecorded(run: Run | undefined, decision: Decision): Promise<void> {
    try {
      await run?.end('unrecorded', 'now')
    } catch (error) {
      this.emit(events.failed(error as KronError, decision))
    }
  }

  /** The end of an execution, ours or adopted. */
  async finish(execution: Execution, ending: Ending): Promise<void> {
    const { ports, recorder, running } = this.parts
    const endedAt = ending.endedAt ?? ports.clock.now()
    if (ending.reason === 'timeout') this.emit(events.timedOut(execution))
    const isDurable = await recorder.record(execution.slot, execution.entry.identity, {
      kind: 'finished',
      executionId: execution.id,
      completedAt: printInstant(Math.floor(endedAt / 1_000)),
      exitCode: ending.exitCode,
      ...(ending.signal === null ? {} : { signal: ending.signal }),
      ...(ending.reason === undefined ? {} : { reason: ending.reason }),
      ...(ending.usage === undefined
        ? {}
        : { durationMs: Math.max(0, Math.round(endedAt - execution.startedAt)), usage: ending.usage }),
    })
    running.remove(execution.id)
    if (!isDurable) return
    this.emit(events.finished(execution, ending, endedAt - execution.startedAt, ending.reason))
    this.parts.ended(execution.slot)
  }
}

/** The definition that was judged, even if a reload has replaced it since. */
const entryOf = (decision: Decision): Entry => decision.job as Entry
