import { channel } from 'node:diagnostics_channel'
import type { SchedulerEvent } from './event.ts'
import { type Logger, warningsToConsole } from './logger.ts'
import { isThenable } from './thenable.ts'

export type Listener = (event: SchedulerEvent) => void

/** The name of the `diagnostics_channel` on which every event of every scheduler is published. */
export const DIAGNOSTICS_CHANNEL = 'kron:scheduler'

const diagnostics = channel(DIAGNOSTICS_CHANNEL)

export interface Report {
  (event: SchedulerEvent): void
  /** Whether anyone listens to starts and ends. If not, they need not be reported. */
  readonly details: boolean
  /** Passes every event to the listener until the returned function is called. */
  listen(listener: Listener): () => void
}

/** Logs every event and passes it to each listener. Errors in a logger or listener do not affect the scheduler. */
export function makeReport(logger: Logger, onEvent?: Listener): Report {
  const listeners = new Set<Listener>(onEvent === undefined ? [] : [onEvent])
  const report = (event: SchedulerEvent) => {
    // A failing logger is ignored: the listeners receive the event anyway.
    attempt(
      () => logger[levelOf(event)](dataOf(event), event.type),
      () => {},
    )
    for (const listener of listeners)
      attempt(
        () => listener(event),
        error => complain(logger, event, error),
      )
    if (diagnostics.hasSubscribers) diagnostics.publish(event)
  }
  const listen = (listener: Listener) => {
    // A new function for each call, so that the same listener can be added twice.
    const hear: Listener = event => listener(event)
    listeners.add(hear)
    return () => void listeners.delete(hear)
  }
  const details = () => listeners.size > 0 || logger !== warningsToConsole || diagnostics.hasSubscribers
  return Object.defineProperty(Object.assign(report, { listen }), 'details', {
    get: details,
  }) as unknown as Report
}

/** The event, with its error under the key that pino expects. */
const dataOf = (event: SchedulerEvent): object => ('error' in event ? { ...event, err: event.error } : event)

function complain(logger: Logger, event: SchedulerEvent, error: unknown): void {
  attempt(
    () => logger.error({ error, err: error }, `the listener failed on ${event.type}`),
    () => {},
  )
}

/** Calls a function that may throw or return a promise that rejects. */
function attempt(act: () => unknown, onFailure: (error: unknown) => void): void {
  try {
    const result = act()
    if (isThenable(result)) Promise.resolve(result).catch(onFailure)
  } catch (error) {
    onFailure(error)
  }
}

function levelOf(event: SchedulerEvent): keyof Logger {
  switch (event.type) {
    case 'error':
    case 'SchedulerInitializationFailed':
      return 'error'
    case 'TaskRunFailed':
    case 'TaskStartedLate':
    case 'TaskOrphaned':
    case 'TaskRecordDamaged':
    case 'ClockSetBack':
      return 'warn'
    case 'TaskRunRequested':
    case 'TaskRunStarted':
    case 'TaskRunCompleted':
    case 'TaskRetryStarted':
    case 'TaskRetryPreempted':
      return 'debug'
    default:
      return 'info'
  }
}
