import { ExecutionError, KronError } from '@kron/core'
import type { Clock } from '@kron/runtime'
import type { Emit } from '../log/event.ts'
import * as events from '../log/event.ts'
import type { EndingReason, Execution } from './execution.ts'
import type { Run } from './ports.ts'

interface Running {
  readonly execution: Execution
  readonly run: Run
  /** Resolves when the end is durable. */
  readonly recorded: Promise<void>
}

const NANOSECONDS_PER_MS = 1_000_000
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** SIGKILL, and word of it. */
export const KILL_PATIENCE_MS = 7_000

const survived = ({ pid }: Execution): ExecutionError =>
  new ExecutionError(`process ${pid}, or one of its children, is still there after SIGKILL`, {
    component: 'execution',
    operation: 'end',
    hint: 'a process in uninterruptible sleep waits for a device or a file system',
  })

/** The executions that are running. */
export class RunningExecutions {
  private readonly byId = new Map<string, Running>()
  private readonly bySlot = new Map<number, Set<Running>>()
  private readonly emit: Emit

  private readonly clock: Clock

  constructor(clock: Clock, emit: Emit) {
    this.clock = clock
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

  add(execution: Execution, run: Run, recorded: Promise<void>): void {
    const running: Running = { execution, run, recorded }
    this.byId.set(execution.id, running)
    const siblings = this.bySlot.get(execution.slot) ?? new Set()
    this.bySlot.set(execution.slot, siblings.add(running))
    this.watchTimeout(running)
  }

  remove(id: string): void {
    const running = this.byId.get(id)
    if (running === undefined) return
    this.byId.delete(id)
    const siblings = this.bySlot.get(running.execution.slot)
    siblings?.delete(running)
    if (siblings?.size === 0) this.bySlot.delete(running.execution.slot)
  }

  /** The run keeps its own timeout; the daemon only reports it if that is of no avail. */
  private watchTimeout({ execution }: Running): void {
    const { timeout, grace } = execution.entry.settings
    if (timeout === null) return
    const passedMs = execution.adopted ? Math.max(0, this.clock.now() - execution.startedAt) : 0
    const leftMs = (timeout + grace) / NANOSECONDS_PER_MS + KILL_PATIENCE_MS - passedMs
    if (leftMs > LONGEST_TIMER_MS) return
    this.clock.setTimer(Math.max(KILL_PATIENCE_MS, leftMs), () => {
      if (this.byId.has(execution.id)) this.report(execution, survived(execution))
    })
  }

  private report({ entry, periodId }: Execution, error: KronError): void {
    this.emit({ ...events.failed(error), identity: entry.identity, period_id: periodId })
  }

  /** Ends an execution; false, and an error in the log, if something of it survived. */
  async end(execution: Execution, why: EndingReason): Promise<boolean> {
    const running = this.byId.get(execution.id)
    if (running === undefined) return true
    try {
      if (!(await running.run.end(why, 'grace'))) throw survived(execution)
      await running.recorded
      return true
    } catch (error) {
      if (!(error instanceof KronError)) throw error
      this.report(execution, error)
      return false
    }
  }
}
