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
import { Death, type Ends } from './death.ts'
import { type CommitFate, type LastingStore, VirtualStore } from './virtual-store.ts'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

const SHORTEST_ROUND = 5_000

/** The behaviour of a callback. */
export interface Behaviour {
  readonly afterMs: number
  readonly outcome: 'succeeds' | 'fails'
}

export interface WorldOptions {
  readonly now: number
  readonly timeZone: string
  /** The behaviours of the runs, in turn; after the last one they repeat. */
  readonly behaviours?: readonly Behaviour[]
  /** Replaces the store that can be made to fail. */
  readonly soundStore?: Store
  /** Replaces the store in memory; it must also survive crashes. */
  readonly makeStore?: (clock: VirtualClock) => LastingStore
  /** The actual duration of a timer that a scheduler sets. */
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
  /** The times of the last known ends of runs, by task. */
  readonly #ends = new Map<string, Ends>()
  /** The store in memory, if there is no other one. */
  readonly #memory: VirtualStore
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
  /** The last process that had loaded the records, while it is unknown what it had stored when it died. */
  #death: Death | undefined
  scheduler: Scheduler

  constructor(options: WorldOptions) {
    const { now, timeZone, behaviours = [], soundStore, makeStore, stretch, rules = {} } = options
    this.clock = new VirtualClock({ now })
    this.#memory = new VirtualStore(this.clock)
    this.store = makeStore?.(this.clock) ?? this.#memory
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
    // If a run failed at once and was retried at once, no time would pass.
    const atLeastMs = retryDelay < SHORTEST_ROUND ? SHORTEST_ROUND - retryDelay : 0
    return [
      name,
      cron,
      () => this.#call(name, process, atLeastMs),
      factor === 1 ? retryDelay : { delay: retryDelay, factor, max: 3_600_000 },
    ]
  }

  setFate(fate: CommitFate): void {
    // A stop or an initialization treats a failed commit as not stored, so the commit must really not be stored.
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

  /** The process dies. Its last change is in the store in memory, or not. */
  crash(stored: boolean): void {
    if (this.die()) this.account(this.#memory.crash(stored))
  }

  /** The process dies. A later `account` records which of its changes were stored. Returns whether it could die. */
  die(): boolean {
    // The theory cannot describe a start that is stored and that a stop has still to undo.
    if (this.#phase === 'stopping') return false
    this.#death ??= new Death(this.recorder, {
      at: this.clock.now(),
      process: `process-${this.#process}`,
      isActive: this.#phase === 'active',
      isSetBack: this.#setBack,
      ends: new Map(this.#ends),
    })
    this.recorder.crash(this.clock.now())
    this.#process++
    this.#phase = 'idle'
    this.scheduler = this.#newProcess()
    return true
  }

  /**
   * The records of the store are now certain: another process has loaded them. A process that died before it had
   * loaded them has changed none. `storedAt`: the time of the last commit, if it was stored without an answer.
   */
  account(storedAt: number | undefined): void {
    this.#death?.account(this.store.records, storedAt)
    this.#death = undefined
    if (this.#setBack) this.#tellStoredTimes()
    this.#knowEnds()
  }

  /** The theory needs these times to know whether a dead process had stored that the clock was set back. */
  #tellStoredTimes(): void {
    const at = this.clock.now()
    for (const { name, firstSeenAt, lastAttemptAt: storedAt = firstSeenAt } of this.store.records.values())
      this.recorder.record({ kind: 'Loaded', at, task: name, storedAt })
  }

  /** Remembers the ends that are recorded when a process begins: they happened before it. */
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
