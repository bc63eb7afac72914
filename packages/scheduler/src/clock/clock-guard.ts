import { clearTimeout, setTimeout } from 'node:timers'
import { findZone } from '@kron/core'
import type { Timer } from '@kron/runtime'
import type { SchedulerClock } from './system-clock.ts'

// Captured at load time, so that the fallback is never a test's fake timer.
const startTimeout = setTimeout
const stopTimeout = clearTimeout

/** A Node timer that replaces one the clock failed to set. */
class Substitute {
  readonly timeout: NodeJS.Timeout

  constructor(milliseconds: number, fire: () => void) {
    this.timeout = startTimeout(fire, milliseconds)
  }
}

const READ = 'read the clock'

type Complain = (operation: string, error: unknown, at: number) => void

/**
 * The clock that the running scheduler uses. It returns whole milliseconds and never throws. While the given clock
 * fails, it returns the last good value and reports the failure once.
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
    // `now` is called twice for every run, so it avoids `attempt`, whose closures would cost more than the clock.
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

/** The clock's time in whole milliseconds. Throws if the clock does not return a finite number. */
export function timeOf(clock: Pick<SchedulerClock, 'now'>): number {
  const now: unknown = clock.now()
  if (typeof now === 'number' && Number.isFinite(now)) return Math.floor(now)
  throw new TypeError(`now() must return epoch milliseconds, got ${String(now)}`)
}

/** The clock's zone. Throws if no zone has that name. */
export function zoneNameOf(clock: Pick<SchedulerClock, 'timeZone'>): string {
  const name: unknown = clock.timeZone()
  if (typeof name === 'string' && findZone(name) !== undefined) return name
  throw new RangeError(
    `${JSON.stringify(name)} is not an IANA time zone; set TZ or the timeZone option to one`,
  )
}
