import type { SchedulerEvent } from './event.ts'
import { type Logger, warningsToConsole } from './logger.ts'
import { isThenable } from './thenable.ts'

export interface Report {
  (event: SchedulerEvent): void
  /** Whether anybody hears of starts and ends; what nobody hears need not be said. */
  readonly details: boolean
}

/** Every event is a log line and a call of `onEvent`; neither can disturb the scheduler. */
export function makeReport(logger: Logger, onEvent?: (event: SchedulerEvent) => void): Report {
  const report = (event: SchedulerEvent) => {
    // A logger that fails leaves nobody to tell but the listener, who hears of the event anyway.
    attempt(
      () => logger[levelOf(event)](event.type, event),
      () => {},
    )
    if (onEvent !== undefined)
      attempt(
        () => onEvent(event),
        error => complain(logger, event, error),
      )
  }
  return Object.assign(report, { details: onEvent !== undefined || logger !== warningsToConsole })
}

function complain(logger: Logger, event: SchedulerEvent, error: unknown): void {
  attempt(
    () => logger.error(`the listener failed on ${event.type}`, { error }),
    () => {},
  )
}

/** Does what may throw, or return a promise that rejects. */
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
    case 'TaskRunStarted':
    case 'TaskRunCompleted':
    case 'TaskRetryStarted':
    case 'TaskRetryPreempted':
      return 'debug'
    default:
      return 'info'
  }
}
