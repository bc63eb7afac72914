import { VirtualClock } from '@kron/runtime'
import {
  type Logger,
  type Registration,
  type Scheduler,
  type SchedulerEvent,
  type Store,
  TraceRecorder,
  type TraceRules,
} from '../../../../scheduler/src/index.ts'
import { type CommitFate, type LastingStore, VirtualStore } from './virtual-store.ts'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

const SHORTEST_ROUND = 5_000

/** What a callback does when it is called. */
export interface Behaviour {
  readonly afterMs: number
  readonly outcome: 'succeeds' | 'fails'
}

export interface WorldOptions {
  readonly now: number
  readonly timeZone: string
  /** What each run does, one after the other and from the beginning again. */
  readonly behaviours?: readonly Behaviour[]
  /** Takes the place of the store that can be made to fail. */
  readonly soundStore?: Store
  /** Takes the place of the store in memory, which survives crashes too. */
  readonly makeStore?: (clock: VirtualClock) => LastingStore
  /** How long a timer that a scheduler sets really takes. */
  readonly stretch?: (milliseconds: number) => number
  /** Options of the schedulers. */
  readonly rules?: TraceRules
}

/** A machine with a clock and a store, on which processes with a scheduler live and die. */
export class World {
  readonly clock: VirtualClock
  readonly recorder: TraceRecorder
  readonly store: LastingStore
  readonly events: SchedulerEvent[] = []
  readonly starts: string[] = []
  /** When the last runs that are known to have ended did so, by task. */
  readonly #ends = new Map<string, { success?: number; failure?: number }>()
  readonly #timeZone: string
  readonly #rules: TraceRules
  readonly #behaviours: readonly Behaviour[]
  readonly #soundStore: Store | undefined
  readonly #stretch: (milliseconds: number) => number
  #process = 0
  #runs = 0
  #setBack = false
  #stores = 'up'
  #phase: 'idle' | 'active' | 'stopping' = 'idle'
  scheduler: Scheduler

  constructor(options: WorldOptions) {
    const { now, timeZone, behaviours = [], soundStore, makeStore, stretch, rules = {} } = options
    this.clock = new VirtualClock({ now })
    this.store = makeStore?.(this.clock) ?? new VirtualStore(this.clock)
    this.#stretch = stretch ?? (milliseconds => milliseconds)
    this.recorder = new TraceRecorder(timeZone, rules)
    this.#rules = rules
    this.#timeZone = timeZone
    this.#behaviours = behaviours
    this.#soundStore = soundStore
    this.scheduler = this.#newProcess()
  }

  get schedules(): 'posix' | 'kron' {
    return this.#rules.schedules ?? 'posix'
  }

  get phase(): 'idle' | 'active' | 'stopping' {
    return this.#phase
  }

  registration(name: string, cron: string, retryDelay: number, factor = 1): Registration {
    const process = this.#process
    // Failing at once and being retried at once would leave no time to pass.
    const atLeastMs = retryDelay < SHORTEST_ROUND ? SHORTEST_ROUND - retryDelay : 0
    return [
      name,
      cron,
      () => this.#call(name, process, atLeastMs),
      factor === 1 ? retryDelay : { delay: retryDelay, factor, max: 3_600_000 },
    ]
  }

  setFate(fate: CommitFate): void {
    // What a stop or an initialization could not store is taken for not stored, so it must not be behind their backs.
    const clear = this.#phase !== 'active' && fate.kind !== 'works'
    this.store.fate = clear ? { ...fate, kind: 'fails' } : fate
    const stores = fate.kind === 'works' ? 'up' : 'down'
    if (stores !== this.#stores) {
      this.recorder.record({ kind: stores === 'up' ? 'StoreUp' : 'StoreDown', at: this.clock.now() })
    }
    this.#stores = stores
  }

  /** Sets the clock, forward or back; no time passes. */
  setClock(by: number): void {
    this.clock.jump(by)
    this.#setBack ||= by < 0
    if (by > 0) this.recorder.record({ kind: 'ClockSetForward', at: this.clock.now() })
  }

  crash(stored: boolean): void {
    const at = this.clock.now()
    // A start that the store has learnt of and that a stop has yet to take back is more than the theory can tell.
    if (this.#phase === 'stopping') return
    this.#recordUnseenReconciliation(this.store.crash(stored))
    for (const task of this.recorder.running) this.#recordUnseenEnd(task, at)
    if (this.#phase === 'active') this.#recordUnseenStarts(at)
    this.recorder.crash(at)
    this.#knowEnds()
    this.#process++
    this.#phase = 'idle'
    this.scheduler = this.#newProcess()
  }

  #recordUnseenReconciliation(storedAt: number | undefined): void {
    const call = this.recorder.initializing
    if (storedAt === undefined || call === undefined) return
    if (this.#setBack) this.recorder.record({ kind: 'ClockSetBack', at: storedAt })
    this.recorder.record({ kind: 'Reconciled', at: storedAt, call })
  }

  #recordUnseenStarts(at: number): void {
    for (const { name, runningBy, lastAttemptAt = at } of this.store.records.values()) {
      if (runningBy !== `process-${this.#process}` || this.recorder.running.has(name)) continue
      // After the clock was set back a record goes on telling what it showed before, which is no delay.
      if (lastAttemptAt > at) this.recorder.record({ kind: 'ClockSetForward', at: lastAttemptAt })
      this.recorder.record({ kind: 'RunStart', at: lastAttemptAt, task: name })
    }
  }

  /** The store may have learnt of an end, as of a start, that the process did not live to report. */
  #recordUnseenEnd(task: string, at: number): void {
    const record = this.store.records.get(task)
    if (record === undefined) return
    const { runningBy, pendingRetryUntil, lastFailureAt, lastSuccessAt } = record
    if (runningBy === undefined) {
      const failed = pendingRetryUntil !== undefined && lastFailureAt !== undefined
      if (failed) this.recorder.record({ kind: 'RunFailure', at, task, endedAt: lastFailureAt })
      else this.recorder.record({ kind: 'RunSuccess', at, task })
      return
    }
    // The run that is on record may be the next one already.
    const { success, failure } = this.#ends.get(task) ?? {}
    if (lastSuccessAt !== undefined && lastSuccessAt !== success)
      this.recorder.record({ kind: 'RunSuccess', at: lastSuccessAt, task })
    else if (lastFailureAt !== undefined && lastFailureAt !== failure)
      this.recorder.record({ kind: 'RunFailure', at: lastFailureAt, task, endedAt: lastFailureAt })
  }

  /** What a process finds on record when it begins has ended before. */
  #knowEnds(): void {
    this.#ends.clear()
    for (const { name, lastSuccessAt, lastFailureAt } of this.store.records.values())
      this.#ends.set(name, {
        ...(lastSuccessAt === undefined ? {} : { success: lastSuccessAt }),
        ...(lastFailureAt === undefined ? {} : { failure: lastFailureAt }),
      })
  }

  #newProcess(): Scheduler {
    const process = this.#process
    const alive = () => process === this.#process
    return this.recorder.watch({
      store: this.#soundStore ?? this.store.seenBy(alive),
      clock: {
        now: () => this.clock.now(),
        timeZone: () => this.#timeZone,
        setTimer: (milliseconds, fire) =>
          this.clock.setTimer(this.#stretch(milliseconds), () => alive() && fire()),
        clearTimer: timer => this.clock.clearTimer(timer),
      },
      identifier: () => `process-${process}`,
      logger: SILENT,
      timeZone: this.#timeZone,
      ...this.#rules,
      onEvent: event => this.#see(event),
    })
  }

  #see(event: SchedulerEvent): void {
    this.events.push(event)
    if (event.type === 'SchedulerInitializationCompleted') this.#phase = 'active'
    if (event.type === 'TaskRunCompleted')
      this.#ends.set(event.taskName, { ...this.#ends.get(event.taskName), success: event.endedAt })
    if (event.type === 'TaskRunFailed')
      this.#ends.set(event.taskName, { ...this.#ends.get(event.taskName), failure: event.endedAt })
    if (event.type === 'SchedulerStopRequested') {
      this.#phase = 'stopping'
      this.setFate(this.store.fate)
    }
    if (event.type === 'SchedulerStopped' || event.type === 'SchedulerInitializationFailed')
      this.#phase = 'idle'
    if (event.type === 'SchedulerInitializationStarted') this.setFate(this.store.fate)
  }

  #call(name: string, process: number, atLeastMs: number): Promise<void> {
    this.starts.push(name)
    const { afterMs, outcome } = this.#behaviours[this.#runs++ % this.#behaviours.length] ?? {
      afterMs: 0,
      outcome: 'succeeds',
    }
    const settle = (resolve: () => void, reject: (error: Error) => void) =>
      outcome === 'succeeds' ? resolve() : reject(new Error('the callback fails'))
    return new Promise((resolve, reject) => {
      if (afterMs === 0 && atLeastMs === 0) settle(resolve, reject)
      else
        this.clock.setTimer(
          Math.max(afterMs, atLeastMs),
          () => process === this.#process && settle(resolve, reject),
        )
    })
  }
}
