import { VirtualClock } from '@kron/runtime'
import type { SchedulerClock } from './system-clock.ts'

/** A clock for tests. It stands still until `run` or `jump` moves it, so a year passes in a moment. */
export function virtualClock(now: string | number, timeZone = 'UTC'): VirtualClock & SchedulerClock {
  const start = typeof now === 'number' ? now : Date.parse(now)
  if (Number.isNaN(start)) throw new RangeError(`${JSON.stringify(now)} is not a time`)
  return Object.assign(new VirtualClock({ now: start }), { timeZone: () => timeZone })
}
