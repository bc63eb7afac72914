import { type Clock, systemClock as runtimeClock } from '@kron/runtime'

/** The clock that the scheduler needs. Timers may fire early or late. */
export interface SchedulerClock extends Clock {
  /** The IANA name of the zone of the cron expressions. */
  timeZone(): string
}

interface TemporalLike {
  readonly Now: { timeZoneId(): string }
}

/** The host's zone. It comes from Temporal if available, because the first call of Intl takes 20 ms. */
export function localTimeZone(): string {
  // An empty TZ means UTC in POSIX.
  if (process.env['TZ'] === '') return 'UTC'
  const { Temporal } = globalThis as { readonly Temporal?: TemporalLike }
  const zone = Temporal?.Now.timeZoneId()
  // Temporal turns an unknown zone into UTC, but it must be refused.
  const doubtful = zone === 'UTC' && (process.env['TZ'] ?? zone) !== zone
  return zone === undefined || doubtful ? new Intl.DateTimeFormat().resolvedOptions().timeZone : zone
}

/** The host's clock and zone. */
export const systemClock: SchedulerClock = { ...runtimeClock, timeZone: localTimeZone }
