import {
  acceptance,
  endOffset,
  minutesPerDay,
  next,
  printInstant,
  startOffset,
  unschedulableChance,
} from '@kron/core'
import type { ScheduleRule } from './finding.ts'

/** The least number of periods to check; a schedule that runs more often is checked for a whole day. */
const PERIODS = 32
const MOST_MINUTES = 20_000
const LIKELY = 0.001

/** Constraints that leave so little of the window that a period may find no time at all. */
export const littleRoom: ScheduleRule = (schedule, at) => {
  const { constraints, cron, zone, window } = schedule
  if (constraints.only === undefined && constraints.avoid === undefined) return undefined
  const minutes = (endOffset(window) - startOffset(window)) / 60 + 1
  const periods = Math.max(
    1,
    Math.min(Math.max(PERIODS, minutesPerDay(cron)), Math.floor(MOST_MINUTES / minutes)),
  )
  let looked = 0
  let likely = 0
  let worst = { nominal: 0, chance: 0 }
  let nominal = next(cron, zone, at)
  for (; nominal !== undefined && looked < periods; looked++) {
    const chance = unschedulableChance(schedule, nominal)
    if (chance >= LIKELY) likely++
    if (chance > worst.chance) worst = { nominal, chance }
    nominal = next(cron, zone, nominal)
  }
  if (likely === 0) return undefined
  const allowed = percent(acceptance(schedule, worst.nominal))
  return {
    part: constraints.only === undefined ? 'avoid' : 'only',
    message:
      `${likely} of the next ${looked} periods may find no allowed time: for ${printInstant(worst.nominal)} ` +
      `the chance is ${percent(worst.chance)}, ${allowed} of its window being allowed`,
    hint: 'widen the window, loosen the constraints, or leave such periods out of the schedule',
  }
}

/** Two significant digits; 0 % or 100 % only if it is exact. */
export function percent(share: number): string {
  const value = share * 100
  if (value === 0 || value === 100) return `${value} %`
  if (value > 99) return '> 99 %'
  return value < 0.01 ? '< 0.01 %' : `${Number(value.toPrecision(2))} %`
}
