import { minutesPerDay } from '@kron/core'
import type { ScheduleRule } from './finding.ts'

/** A `daily` seed with several runs a day: all of them get the same offset. */
export const dailySeed: ScheduleRule = ({ cron, seed, window }) => {
  const runs = minutesPerDay(cron)
  if (seed.strategy !== 'daily' || runs === 1 || window.duration === 0) return undefined
  return {
    part: 'seed',
    message: `the ${runs} runs of a day all get the same offset within their window`,
    hint: 'use @seed(stable) for an offset of its own each time',
  }
}
