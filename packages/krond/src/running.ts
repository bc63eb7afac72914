import { ExecutionError, KronError } from '@kron/core'
import type { Clock, Timer } from '@kron/runtime'
import type { Emit } from './event.ts'
import * as events from './event.ts'
import type { Execution } from './execution.ts'
import type { Processes } from './ports.ts'

interface Running {
  readonly execution: Execution
  readonly ended: Promise<void>
  timer: Timer | undefined
  reason: string | undefined
}

const MILLISECOND = 1_000_000
const LONGEST_TIMER = 2 ** 31 - 1

const graceOf = ({ entry }: Execution): number => entry.settings.grace / MILLISECOND

const survived = ({ pid }: Execution): ExecutionError =>
  new ExecutionError(`process ${pid} is still there after SIGKILL`, {
    component: 'execution',
    operation: 'end',
  })

/** The executions that are running, their time-outs and their forced ends. */
export class RunningExecutions {
  private readonly byId = new Map<string, Running>()
  private readonly bySlot = new Map<number, Set<Running>>()
  private readonly clock: Clock
  private readonly processes: Processes
  private readonly emit: Emit

  constructor(clock: Clock, processes: Processes, emit: Emit) {
    this.clock = clock
    this.processes = processes
    this.emit = emit
  }

  get count(): number {
    return this.byId.size
  }

  all(): readonly Execution[] {
    return [...this.byId.values()].map(each => each.execution)
  }

  of(slot: number): readonly Execution[] {
    return [...(this.bySlot.get(slot) ?? [])].map(each => each.execution)
  }

  /** Follows an execution until `ended` resolves. */
  add(execution: Execution, ended: Promise<void>): void {
    const running: Running = { execution, ended, timer: undefined, reason: undefined }
    this.byId.set(execution.id, running)
    const siblings = this.bySlot.get(execution.slot) ?? new Set()
    this.bySlot.set(execution.slot, siblings.add(running))
    const { timeout } = execution.entry.settings
    if (timeout === null) return
    const used = execution.adopted ? this.clock.now() - execution.startedAt : 0
    this.watchTimeout(running, this.elapsed() + timeout / MILLISECOND - used)
  }

  /** Why an execution was ended, if it was. */
  reasonOf(id: string): string | undefined {
    return this.byId.get(id)?.reason
  }

  remove(id: string): void {
    const running = this.byId.get(id)
    if (running === undefined) return
    this.byId.delete(id)
    const siblings = this.bySlot.get(running.execution.slot)
    siblings?.delete(running)
    if (siblings?.size === 0) this.bySlot.delete(running.execution.slot)
    if (running.timer !== undefined) this.clock.clearTimer(running.timer)
  }

  /** Ends an execution; false, and an error in the log, if it survived. */
  async end(execution: Execution, reason: string): Promise<boolean> {
    const running = this.byId.get(execution.id)
    if (running === undefined) return true
    running.reason ??= reason
    try {
      if (!(await this.processes.end(execution.pid, execution.processStart, graceOf(execution))))
        throw survived(execution)
      await running.ended
      return true
    } catch (error) {
      if (!(error instanceof KronError)) throw error
      const { entry, periodId } = execution
      this.emit({ ...events.failed(error), identity: entry.identity, period_id: periodId })
      return false
    }
  }

  private watchTimeout(running: Running, at: number): void {
    const left = Math.min(Math.max(0, at - this.elapsed()), LONGEST_TIMER)
    running.timer = this.clock.setTimer(left, () => {
      if (this.elapsed() < at) return this.watchTimeout(running, at)
      this.emit(events.timedOut(running.execution))
      void this.end(running.execution, 'timeout')
    })
  }

  /** A time-out counts running time: a step of the wall clock must not end a job early. */
  private elapsed(): number {
    return this.clock.monotonic?.() ?? this.clock.now()
  }
}
