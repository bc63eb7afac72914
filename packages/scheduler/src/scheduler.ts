import { randomUUID } from 'node:crypto'
import type { SchedulerEvent } from './event.ts'
import { Lifecycle } from './lifecycle.ts'
import { type Logger, warningsToConsole } from './logger.ts'
import type { Registration } from './registration/registration.ts'
import { makeReport } from './report.ts'
import type { Store } from './store/store.ts'
import { type SchedulerClock, systemClock } from './system-clock.ts'

export interface Scheduler {
  /** Takes the whole list of tasks, compares it with what is persisted, and from then on runs what is due. */
  initialize(registrations: readonly Registration[]): Promise<void>
  /** Starts nothing more, and resolves when every callback has ended. */
  stop(): Promise<void>
}

export interface SchedulerOptions {
  readonly store: Store
  readonly clock?: SchedulerClock
  /** Names this instance in the records, so that another one can tell whose runs were left unfinished. */
  readonly identifier?: () => string
  readonly logger?: Logger
  readonly onEvent?: (event: SchedulerEvent) => void
}

export function makeScheduler(options: SchedulerOptions): Scheduler {
  const { store, clock = systemClock, identifier = randomUUID, logger = warningsToConsole } = options
  const report = makeReport(logger, options.onEvent)
  const lifecycle = new Lifecycle({ store, clock, identifier, report })
  return {
    initialize: registrations => lifecycle.initialize(registrations),
    stop: () => lifecycle.stop(),
  }
}
