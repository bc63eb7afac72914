import { type Clock, systemClock as runtimeClock } from '@kron/runtime'

/** What the scheduler needs of time. Timers may fire early or late. */
export interface SchedulerClock extends Clock {
  /** IANA name of the zone whose wall clock the cron expressions speak of. */
  timeZone(): string
}

export const localTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The host's clock and zone. */
export const systemClock: SchedulerClock = { ...runtimeClock, timeZone: localTimeZone }
