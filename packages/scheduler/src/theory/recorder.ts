import { systemClock } from '../clock/system-clock.ts'
import { controlBy, controlOf } from '../control.ts'
import type { SchedulerEvent } from '../event.ts'
import type { SchedulerOptions } from '../options.ts'
import type { Registration } from '../registration/registration.ts'
import { makeScheduler, type Scheduler } from '../scheduler.ts'
import type { Trace, TraceEvent, TraceRules } from './trace.ts'

/** Records the visible events of a scheduler, across restarts, as a trace for `checkTrace`. */
export class TraceRecorder {
  readonly #timeZone: string
  readonly #rules: TraceRules
  readonly #events: TraceEvent[] = []
  /** Tasks whose start is stored and whose end is not. */
  readonly #running = new Set<string>()
  #calls = 0
  #initializing: number | undefined
  #instance = 0

  /** `rules`: the options of the watched schedulers that differ from the defaults. */
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

  /** The number of the `initialize` call in progress. */
  get initializing(): number | undefined {
    return this.#initializing
  }

  record(event: TraceEvent): void {
    this.#events.push(event)
    const ended = event.kind === 'InitSuccess' || event.kind === 'InitFailure'
    // A refused call ends while another one is in progress.
    if (ended && event.call === this.#initializing) this.#initializing = undefined
    if (event.kind === 'RunStart') this.#running.add(event.task)
    else if (event.kind === 'RunSuccess' || event.kind === 'RunFailure') this.#running.delete(event.task)
    else if (event.kind === 'Crash') this.#running.clear()
  }

  /** The number of recorded events: the position of the next one. */
  get length(): number {
    return this.#events.length
  }

  /** Adds events that became known later, at the position where they happened. */
  insert(position: number, events: readonly TraceEvent[]): void {
    this.#events.splice(position, 0, ...events)
  }

  /** The process has died. Later actions of its schedulers are not recorded. */
  crash(at: number): void {
    this.#instance++
    this.#initializing = undefined
    this.record({ kind: 'Crash', at })
  }

  /** Creates a scheduler whose events are recorded. */
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
          // A call that is refused at once emits no event.
          if (call !== current) record({ kind: 'InitFailure', at: now(), call })
          throw error
        }
      },
      stop: async () => {
        record({ kind: 'StopStart', at: now() })
        await scheduler.stop()
        // If a failing store never saved the end of a run, the run has not ended for the next instance.
        record({ kind: this.#running.size > 0 ? 'Crash' : 'StopEnd', at: now() })
      },
    }
    controlBy(watched, controlOf('watch', scheduler))
    return watched
  }
}

/** The trace event for a scheduler event, if there is one. */
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
