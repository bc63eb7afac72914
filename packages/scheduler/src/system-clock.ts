import { type Clock, systemClock as runtimeClock } from '@kron/runtime'

/** What the scheduler needs of time. Timers may fire early or late. */
export interface SchedulerClock extends Clock {
  /** IANA name of the zone whose wall clock the cron expressions speak of. */
  timeZone(): string
}

interface TemporalLike {
  readonly Now: { timeZoneId(): string }
}

/** The host's zone, from Temporal where there is one: the first answer of Intl takes 20 ms. */
export function localTimeZone(): string {
  // As POSIX has it.
  if (process.env['TZ'] === '') return 'UTC'
  const { Temporal } = globalThis as { readonly Temporal?: TemporalLike }
  const zone = Temporal?.Now.timeZoneId()
  // A zone that does not exist is UTC to Temporal, and is to be refused.
  const doubtful = zone === 'UTC' && (process.env['TZ'] ?? zone) !== zone
  return zone === undefined || doubtful ? new Intl.DateTimeFormat().resolvedOptions().timeZone : zone
}

/** The host's clock and zone. */
export const systemClock: SchedulerClock = { ...runtimeClock, timeZone: localTimeZone }
