import { guardClock } from './clock/clock-guard.ts'
import { controlBy } from './control.ts'
import { Lifecycle } from './lifecycle/lifecycle.ts'
import { readOptions, type SchedulerOptions } from './options.ts'
import type { Registration } from './registration/registration.ts'
import { makeReport } from './report.ts'

export interface Scheduler {
  /** Compares the whole list of tasks with the persisted tasks, and then runs tasks when they are due. */
  initialize(registrations: readonly Registration[]): Promise<void>
  /** After this call nothing starts. Resolves when every callback has ended. */
  stop(): Promise<void>
}

/** Creates a scheduler. It does nothing until it is initialized. */
export function makeScheduler(options: SchedulerOptions): Scheduler {
  const { logger, onEvent, clock, ...settings } = readOptions(options)
  const report = makeReport(logger, onEvent)
  const guarded = guardClock(clock, settings.rules.timeZone, (operation, error, at) =>
    report({ type: 'error', at, operation, error }),
  )
  const lifecycle = new Lifecycle({ ...settings, givenClock: clock, clock: guarded, report })
  const scheduler: Scheduler = {
    initialize: registrations => lifecycle.initialize(registrations),
    stop: () => lifecycle.stop(),
  }
  controlBy(scheduler, lifecycle)
  return scheduler
}
