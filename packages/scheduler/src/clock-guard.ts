import { clearTimeout, setTimeout } from 'node:timers'
import { findZone } from '@kron/core'
import type { Timer } from '@kron/runtime'
import type { SchedulerClock } from './system-clock.ts'

// Taken when this is loaded: the last resort must not be a test's fake.
const startTimeout = setTimeout
const stopTimeout = clearTimeout

/** A timer of Node's, set because the clock could not. */
class Substitute {
  readonly timeout: NodeJS.Timeout

  constructor(milliseconds: number, fire: () => void) {
    this.timeout = startTimeout(fire, milliseconds)
  }
}

const READ = 'read the clock'

type Complain = (operation: string, error: unknown, at: number) => void

/**
 * The clock as the scheduler uses it once it runs: whole milliseconds, and whatever the clock does, an answer. While it fails the
 * last good answer stands, with one complaint.
 */
export function guardClock(
  clock: SchedulerClock,
  timeZone: string | undefined,
  complain: Complain,
): SchedulerClock {
  const failing = new Set<string>()
  const lastGood = { now: 0, zone: timeZone ?? 'UTC' }
  const complainOnce = (operation: string, error: unknown) => {
    if (failing.has(operation)) return
    failing.add(operation)
    complain(operation, error, lastGood.now)
  }
  const attempt = <T>(operation: string, act: () => T, otherwise: () => T): T => {
    try {
      const answer = act()
      failing.delete(operation)
      return answer
    } catch (error) {
      complainOnce(operation, error)
      return otherwise()
    }
  }
  return {
    // Without `attempt`, whose closures would cost more than the clock: this is asked twice for every run.
    now: () => {
      try {
        lastGood.now = timeOf(clock)
        if (failing.size > 0) failing.delete(READ)
      } catch (error) {
        complainOnce(READ, error)
      }
      return lastGood.now
    },
    timeZone: () =>
      attempt(
        'find the time zone',
        () => {
          lastGood.zone = timeZone ?? zoneNameOf(clock)
          return lastGood.zone
        },
        () => lastGood.zone,
      ),
    setTimer: (milliseconds, fire): Timer =>
      attempt<Timer>(
        'set a timer',
        () => clock.setTimer(milliseconds, fire),
        () => new Substitute(milliseconds, fire),
      ),
    clearTimer: timer => {
      if (timer instanceof Substitute) stopTimeout(timer.timeout)
      else
        attempt(
          'clear a timer',
          () => clock.clearTimer(timer),
          () => {},
        )
    },
  }
}

/** The clock's time in whole milliseconds; throws if it is none. */
export function timeOf(clock: Pick<SchedulerClock, 'now'>): number {
  const now: unknown = clock.now()
  if (typeof now === 'number' && Number.isFinite(now)) return Math.floor(now)
  throw new TypeError(`now() must return epoch milliseconds, got ${String(now)}`)
}

/** The clock's zone; throws if there is none of that name. */
export function zoneNameOf(clock: Pick<SchedulerClock, 'timeZone'>): string {
  const name: unknown = clock.timeZone()
  if (typeof name === 'string' && findZone(name) !== undefined) return name
  throw new RangeError(
    `${JSON.stringify(name)} is not an IANA time zone; set TZ or the timeZone option to one`,
  )
}
