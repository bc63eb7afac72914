import { civilFromDays, daysFromCivil, matches, printCron, printInstant, UTC, type Zone } from '@kron/core'
import type { ScheduleRule } from './finding.ts'

/** Local minutes that the clocks of a zone skip, in seconds since 1970 by that clock. */
interface Gap {
  readonly from: number
  readonly to: number
}

const YEAR = 366 * 86_400

/** A schedule with a time that the clocks will skip within a year. */
export const dstGap: ScheduleRule = ({ cron, zone }, at) => {
  // An hourly job loses nothing when an hour is skipped.
  if (zone.name === 'UTC' || printCron(cron).split(' ')[1] === '*') return undefined
  const now = at + zone.offsetAt(at)
  const { year } = civilFromDays(Math.floor(now / 86_400))
  const ahead = [...gapsOf(zone, year), ...gapsOf(zone, year + 1)]
  for (const { from, to } of ahead.filter(gap => gap.from > now && gap.from <= now + YEAR)) {
    for (let local = from; local < to; local += 60) {
      if (!matches(cron, UTC, local)) continue
      const [date, clock] = printInstant(local).split('T') as [string, string]
      return {
        part: 'cron',
        message: `${clock.slice(0, 5)} does not exist on ${date} in ${zone.name}, where the clocks go forward: no run then`,
        hint: 'choose another hour, or UTC',
      }
    }
  }
}

const known = new Map<string, readonly Gap[]>()

function gapsOf(zone: Zone, year: number): readonly Gap[] {
  const key = `${zone.name} ${year}`
  const gaps = known.get(key) ?? findGaps(zone, year)
  known.set(key, gaps)
  return gaps
}

function findGaps(zone: Zone, year: number): Gap[] {
  const gaps: Gap[] = []
  const end = daysFromCivil(year + 1, 1, 1) * 86_400
  for (let at = daysFromCivil(year, 1, 1) * 86_400; at < end; ) {
    const row = zone.rowAt(at)
    const change = zone.endOf(row)
    const [before, after] = [zone.offsetOf(row), zone.offsetAt(change)]
    if (after > before && change < end) gaps.push({ from: change + before, to: change + after })
    at = change
  }
  return gaps
}
