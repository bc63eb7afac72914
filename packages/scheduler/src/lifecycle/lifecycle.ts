import type { Timer } from '@kron/runtime'
import type { SchedulerClock } from '../clock/system-clock.ts'
import type { Control, RunResult, TaskExplanation, TaskState } from '../control.ts'
import {
  SchedulerAlreadyActiveError,
  SchedulerInitializationError,
  SchedulerNotRunningError,
  SchedulerStopInCallbackError,
  TaskAlreadyRunningError,
  TaskUnknownError,
} from '../error/lifecycle-error.ts'
import { storeBackoffMs } from '../loop/commit-line.ts'
import { Loop } from '../loop/loop.ts'
import { Runs } from '../loop/runs.ts'
import { parseRegistrations, type TaskList } from '../registration/parse.ts'
import type { Listener } from '../report.ts'
import { NO_ANSWER, withPatience } from '../store/patience.ts'
import type { StoreLostError, StoreSession } from '../store/store.ts'
import { describeTask, explainTask } from '../task/describe.ts'
import type { TaskTable } from '../task/task-table.ts'
import { type ActivationParts, activate, closeStore, readClock, tryTimer } from './activation.ts'

export interface LifecycleParts extends ActivationParts {
  readonly maxConcurrent: number
  readonly stopGraceMs: number
}

/** The loop of an active scheduler, with the data it works on. */
interface Active {
  readonly loop: Loop
  readonly table: TaskTable
}

type State = 'uninitialized' | 'initializing' | 'running' | 'stopping' | 'stopped'

const STOPPED_STANDBY = 'the scheduler was stopped while another instance is active'

/** The states of a scheduler and the transitions between them. */
export class Lifecycle implements Control {
  readonly #parts: LifecycleParts
  readonly #runs = new Runs()
  #state: State = 'uninitialized'
  /** The current activation: load, reconcile, start the loop. A settled promise if there is none. */
  #activation: Promise<unknown> = Promise.resolve()
  #abort = new AbortController()
  #standby = false
  /** The identifier of this instance, from one `initialize` to the next. */
  #owner: string | undefined
  #stop: Promise<void> | undefined
  #loop: Loop | undefined
  #table: TaskTable | undefined

  constructor(parts: LifecycleParts) {
    this.#parts = parts
  }

  async initialize(registrations: unknown): Promise<void> {
    if (this.#state === 'initializing') throw new SchedulerAlreadyActiveError('initializing')
    if (this.#state === 'running' || this.#state === 'stopping')
      throw new SchedulerAlreadyActiveError('running')
    this.#state = 'initializing'
    const initialization = this.#initialize(registrations)
    this.#activation = initialization.catch(() => {})
    await initialization
  }

  async stop(): Promise<void> {
    const inside = this.#runs.callerTask()
    if (inside !== undefined) throw new SchedulerStopInCallbackError(inside)
    if (this.#state === 'uninitialized' || this.#state === 'stopped') return
    if (this.#stop === undefined) {
      let settle = (_: Promise<void>) => {}
      // Set first, because a listener of the stop events may call stop again.
      this.#stop = new Promise(resolve => {
        settle = resolve
      })
      settle(this.#stopOnce())
    }
    await this.#stop
  }

  tasks(): TaskState[] {
    const active = this.#active()
    if (active === undefined) return []
    const { loop, table } = active
    const now = this.#parts.clock.now()
    return Array.from({ length: table.size }, (_, slot) =>
      describeTask(table, slot, loop.isWaiting(slot), now),
    )
  }

  explain(name: string): TaskExplanation {
    const { loop, table, slot } = this.#find('explain a task', name)
    return explainTask(table, slot, loop.isWaiting(slot), this.#parts.clock.now())
  }

  run(name: string): Promise<RunResult> {
    const { loop, slot } = this.#find('run a task', name)
    if (!loop.isWaiting(slot)) throw new TaskAlreadyRunningError(name)
    return loop.request(slot)
  }

  listen(listener: Listener): () => void {
    return this.#parts.report.listen(listener)
  }

  #active(): Active | undefined {
    const loop = this.#loop
    const table = this.#table
    return loop === undefined || table === undefined ? undefined : { loop, table }
  }

  #find(operation: string, name: string): Active & { readonly slot: number } {
    const active = this.#active()
    const running = this.#state === 'running' && this.#stop === undefined
    if (active === undefined && running && this.#standby === false) throw new TaskUnknownError(name)
    if (active === undefined || !running) throw new SchedulerNotRunningError(operation)
    const slot = active.table.find(name)
    if (slot === undefined) throw new TaskUnknownError(name)
    return { ...active, slot }
  }

  async #initialize(registrations: unknown): Promise<void> {
    const { givenClock, clock, report, rules } = this.#parts
    this.#owner = undefined
    try {
      const at = readClock(givenClock)
      report({ type: 'SchedulerInitializationStarted', at })
      const list = parseRegistrations(registrations, at, rules)
      await this.#activate(list)
      this.#state = 'running'
      report({ type: 'SchedulerInitializationCompleted', at: clock.now() })
    } catch (error) {
      this.#state = 'uninitialized'
      report({ type: 'SchedulerInitializationFailed', at: timeOf(givenClock), error })
      throw error
    }
  }

  async #activate(list: TaskList): Promise<void> {
    this.#abort = new AbortController()
    this.#standby = false
    const identifier = () => this.#owner ?? this.#parts.identifier()
    const { table, owner } = await activate(list, { ...this.#parts, identifier }, this.#session(list))
    this.#owner = owner
    if (table.size === 0 || this.#stop !== undefined) return
    try {
      this.#beginLoop(list, table, owner)
    } catch (error) {
      await this.#loop?.abandon()
      this.#loop = undefined
      await closeStore(this.#parts)
      throw new SchedulerInitializationError('set a timer', error)
    }
    this.#parts.report({ type: 'PollingStarted', at: this.#parts.clock.now() })
  }

  #beginLoop(list: TaskList, table: TaskTable, owner: string): void {
    const onLost = (error: StoreLostError) => this.#lost(list, error)
    tryTimer(this.#parts.givenClock)
    this.#loop = new Loop({ ...this.#parts, table, owner, runs: this.#runs, onLost })
    this.#table = table
    this.#loop.begin()
  }

  #session(list: TaskList): StoreSession {
    const { clock, report } = this.#parts
    return {
      signal: this.#abort.signal,
      onStandby: () => {
        this.#standby = true
        report({ type: 'standby', at: clock.now() })
        if (this.#stop !== undefined) this.#abortActivation(STOPPED_STANDBY)
      },
      onDamage: error => report({ type: 'TaskRecordDamaged', at: clock.now(), error }),
      onError: (operation, error) => report({ type: 'error', at: clock.now(), operation, error }),
      onLost: error => this.#lost(list, error),
    }
  }

  /** Another instance has taken over. This one lets its callbacks end and becomes a standby. */
  #lost(list: TaskList, error: StoreLostError): void {
    const loop = this.#loop
    if (loop === undefined || this.#stop !== undefined) return
    this.#loop = undefined
    this.#parts.report({ type: 'error', at: this.#parts.clock.now(), operation: 'commit', error })
    this.#activation = this.#reactivate(list, loop)
  }

  async #reactivate(list: TaskList, loop: Loop): Promise<void> {
    const { clock, report } = this.#parts
    await loop.abandon()
    report({ type: 'PollingStopped', at: clock.now() })
    await closeStore(this.#parts)
    for (let failures = 1; ; failures++) {
      // The first attempt waits too: a store that is lost repeatedly must not keep the process busy.
      await this.#sleep(storeBackoffMs(failures))
      if (this.#stop !== undefined) return
      try {
        return await this.#activate(list)
      } catch (error) {
        if (this.#stop !== undefined) return
        report({ type: 'error', at: clock.now(), operation: 'load', error })
      }
    }
  }

  async #stopOnce(): Promise<void> {
    const { clock, report } = this.#parts
    report({ type: 'SchedulerStopRequested', at: clock.now() })
    // An existing loop stops at once, so nothing starts after the call.
    if (this.#loop === undefined) await this.#awaitActivation()
    // A listener of the failure event may have started another initialization.
    while (this.#state === 'initializing') await this.#awaitActivation()
    if (this.#state === 'running') await this.#endRunning()
    else this.#stop = undefined
    await this.#awaitNewLife()
  }

  async #awaitActivation(): Promise<void> {
    const { clock } = this.#parts
    // A standby has no work to complete, in the first activation or a later one.
    if (this.#standby || this.#state === 'running') this.#abortActivation(STOPPED_STANDBY)
    await withPatience(clock, this.#activation).catch(() => this.#abortActivation(NO_ANSWER))
    await this.#activation
  }

  /** A listener of the stop events may have initialized again. Waits for that, unless it has to stand by. */
  async #awaitNewLife(): Promise<void> {
    if (this.#state !== 'initializing') return
    await withPatience(this.#parts.clock, this.#activation).catch(() => {})
  }

  async #endRunning(): Promise<void> {
    const { clock, report } = this.#parts
    this.#state = 'stopping'
    if (this.#loop !== undefined) {
      report({ type: 'PollingStopRequested', at: clock.now() })
      await this.#loop.stop()
      this.#loop = undefined
      report({ type: 'PollingStopped', at: clock.now() })
    }
    await closeStore(this.#parts)
    this.#state = 'stopped'
    // Cleared before the report, because a listener may initialize again at once.
    this.#stop = undefined
    report({ type: 'SchedulerStopped', at: clock.now() })
  }

  #abortActivation(reason: string): void {
    this.#abort.abort(new Error(reason))
  }

  #sleep(milliseconds: number): Promise<void> {
    const { clock } = this.#parts
    if (this.#abort.signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      let timer: Timer
      const wake = () => {
        clock.clearTimer(timer)
        resolve()
      }
      timer = clock.setTimer(milliseconds, resolve)
      this.#abort.signal.addEventListener('abort', wake, { once: true })
    })
  }
}

/** The time for a report, or NaN, because the failure may be the clock's. */
function timeOf(clock: SchedulerClock): number {
  try {
    return clock.now()
  } catch {
    return Number.NaN
  }
}
