import type { SchedulerClock } from '../../../../scheduler/src/index.ts'

/** How fast time passes: a minute in ten milliseconds. */
export const SPEED = 6_000

/** A real clock that runs faster, the same for every process that knows when it was started. */
export function fastClock(startedAt: number): SchedulerClock {
  return {
    now: () => Math.round(startedAt + (Date.now() - startedAt) * SPEED),
    timeZone: () => 'UTC',
    setTimer: (milliseconds, fire) => setTimeout(fire, milliseconds / SPEED),
    clearTimer: timer => clearTimeout(timer as NodeJS.Timeout),
  }
}
