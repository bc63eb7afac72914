import { controlBy, controlOf } from '../control.ts'
import type { SchedulerEvent } from '../event.ts'
import type { SchedulerOptions } from '../options.ts'
import type { Registration } from '../registration/registration.ts'
import { makeScheduler, type Scheduler } from '../scheduler.ts'
import { systemClock } from '../system-clock.ts'
import type { Trace, TraceEvent, TraceRules } from './trace.ts'

/** Records what can be seen of a scheduler, across restarts, as a trace for `checkTrace`. */
export class TraceRecorder {
  readonly #timeZone: string
  readonly #rules: TraceRules
  readonly #events: TraceEvent[] = []
  /** Tasks that have started and, as far as the store knows, not ended. */
  readonly #running = new Set<string>()
  #calls = 0
  #initializing: number | undefined
  #instance = 0

  /** `rules`: the options of the schedulers that will be watched, where they are not the default. */
  constructor(timeZone: string, rules: TraceRules = {}) {
    this.#timeZone = timeZone
    this.#rules = rules
  }

  trace(endedAt: number): Trace {
    return { timeZone: this.#timeZone, ...this.#rules, events: this.#events, endedAt }
  }

  get running(): ReadonlySet<string> {
    return this.#running
  }

  /** The call of `initialize` that is at work. */
  get initializing(): number | undefined {
    return this.#initializing
  }

  record(event: TraceEvent): void {
    this.#events.push(event)
    const ended = event.kind === 'InitSuccess' || event.kind === 'InitFailure'
    // A call that was turned away ends while another is at work.
    if (ended && event.call === this.#initializing) this.#initializing = undefined
    if (event.kind === 'RunStart') this.#running.add(event.task)
    else if (event.kind === 'RunSuccess' || event.kind === 'RunFailure') this.#running.delete(event.task)
    else if (event.kind === 'Crash') this.#running.clear()
  }

  /** The process has died: what its schedulers still do is nobody's to see. */
  crash(at: number): void {
    this.#instance++
    this.#initializing = undefined
    this.record({ kind: 'Crash', at })
  }

  /** A scheduler whose doings are recorded. */
  watch(options: SchedulerOptions): Scheduler {
    const instance = this.#instance
    const now = () => (options.clock ?? systemClock).now()
    let current = 0
    const record = (event: TraceEvent) => {
      if (instance === this.#instance) this.record(event)
    }
    const scheduler = makeScheduler({
      ...options,
      onEvent: event => {
        if (event.type === 'SchedulerInitializationStarted') {
          current = this.#calls
          this.#initializing = current
        }
        const seen = traceEventOf(event, current)
        if (seen !== undefined) record(seen)
        options.onEvent?.(event)
      },
    })
    const watched: Scheduler = {
      initialize: async (registrations: readonly Registration[]) => {
        const call = ++this.#calls
        record({ kind: 'InitStart', at: now(), call, registrations })
        try {
          await scheduler.initialize(registrations)
        } catch (error) {
          // Of a call that was turned away at once there is no event.
          if (call !== current) record({ kind: 'InitFailure', at: now(), call })
          throw error
        }
      },
      stop: async () => {
        record({ kind: 'StopStart', at: now() })
        await scheduler.stop()
        // A run whose end a failing store never learnt of has not ended for the next instance either.
        record({ kind: this.#running.size > 0 ? 'Crash' : 'StopEnd', at: now() })
      },
    }
    controlBy(watched, controlOf('watch', scheduler))
    return watched
  }
}

/** What an event of a scheduler is in a trace, if it is anything. */
export function traceEventOf(event: SchedulerEvent, call: number): TraceEvent | undefined {
  const { at } = event
  switch (event.type) {
    case 'StateReconciled':
      return { kind: 'Reconciled', at, call }
    case 'SchedulerInitializationCompleted':
      return { kind: 'InitSuccess', at, call }
    case 'SchedulerInitializationFailed':
      return { kind: 'InitFailure', at, call }
    case 'TaskRunStarted':
    case 'TaskRetryStarted':
      return { kind: 'RunStart', at, task: event.taskName }
    case 'TaskRunCompleted':
      return { kind: 'RunSuccess', at, task: event.taskName }
    case 'TaskRunFailed':
      return { kind: 'RunFailure', at, task: event.taskName, endedAt: event.endedAt }
    case 'ClockSetBack':
      return { kind: 'ClockSetBack', at }
    case 'TaskRunRequested':
      return { kind: 'Requested', at, task: event.taskName }
    default:
      return undefined
  }
}
