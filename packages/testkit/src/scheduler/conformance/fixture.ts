import { VirtualClock } from '@kron/runtime'
import {
  type Change,
  type Logger,
  makeScheduler,
  type Registration,
  type Scheduler,
  type SchedulerEvent,
  type Store,
  type StoreSession,
  type TaskRecord,
} from '../../../../scheduler/src/index.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** A store that records its calls, and fails on demand. */
export class ProbeStore implements Store {
  readonly records = new Map<string, TaskRecord>()
  readonly commits: Change[] = []
  /** Thrown by the operation of this name. */
  readonly failing = new Map<'load' | 'commit' | 'close', Error>()
  /** Commits and a close wait for this promise before they do anything. */
  gate: Promise<unknown> = Promise.resolve()
  loads = 0
  closes = 0

  async load(_session?: StoreSession): Promise<readonly TaskRecord[]> {
    this.loads++
    this.#failIfTold('load')
    return [...this.records.values()]
  }

  async commit(change: Change): Promise<void> {
    await this.gate
    this.#failIfTold('commit')
    this.commits.push(change)
    for (const record of change.put) this.records.set(record.name, record)
    for (const name of change.remove) this.records.delete(name)
  }

  async close(): Promise<void> {
    this.closes++
    await this.gate
    this.#failIfTold('close')
  }

  #failIfTold(operation: 'load' | 'commit' | 'close'): void {
    const error = this.failing.get(operation)
    if (error !== undefined) throw error
  }
}

export interface FixtureOptions {
  readonly at: string
  readonly timeZone?: string
  readonly records?: readonly TaskRecord[]
}

/** A scheduler on a clock that the test moves; all its actions are recorded. */
export class Fixture {
  readonly clock: VirtualClock
  readonly store = new ProbeStore()
  readonly events: SchedulerEvent[] = []
  /** The times at which each task was called. */
  readonly starts = new Map<string, string[]>()
  timeZone: string
  scheduler: Scheduler
  #instances = 0

  constructor({ at, timeZone = 'UTC', records = [] }: FixtureOptions) {
    this.clock = new VirtualClock({ now: Date.parse(at) })
    this.timeZone = timeZone
    for (const record of records) this.store.records.set(record.name, record)
    this.scheduler = this.newInstance()
  }

  /** Another scheduler on the same store, as after a restart. */
  newInstance(): Scheduler {
    const identifier = `instance-${++this.#instances}`
    const { clock } = this
    return makeScheduler({
      store: this.store,
      clock: {
        now: () => clock.now(),
        timeZone: () => this.timeZone,
        setTimer: (milliseconds, fire) => clock.setTimer(milliseconds, fire),
        clearTimer: timer => clock.clearTimer(timer),
      },
      identifier: () => identifier,
      logger: silent,
      onEvent: event => this.events.push(event),
    })
  }

  /** A registration whose starts are recorded; `work` is its additional work. */
  task(
    name: string,
    cron: string,
    retryDelay: number | string = 0,
    work: () => unknown = () => {},
  ): Registration {
    const callback = () => {
      const times = this.starts.get(name) ?? []
      this.starts.set(name, [...times, new Date(this.clock.now()).toISOString()])
      return work()
    }
    return [name, cron, callback, retryDelay]
  }

  startsOf(name: string): readonly string[] {
    return this.starts.get(name) ?? []
  }

  run(milliseconds: number): Promise<void> {
    return this.clock.run(milliseconds)
  }

  runUntil(time: string): Promise<void> {
    return this.clock.run(Date.parse(time) - this.clock.now())
  }

  types(): string[] {
    return this.events.map(event => event.type)
  }

  eventsOf<Type extends SchedulerEvent['type']>(type: Type): (SchedulerEvent & { readonly type: Type })[] {
    return this.events.filter(
      (event): event is SchedulerEvent & { readonly type: Type } => event.type === type,
    )
  }

  record(name: string): TaskRecord | undefined {
    return this.store.records.get(name)
  }
}

/** A promise and the functions that settle it. */
export function deferred<T = void>() {
  return Promise.withResolvers<T>()
}

export const ms = (time: string): number => Date.parse(time)
