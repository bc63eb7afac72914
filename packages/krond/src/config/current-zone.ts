import type { Schedule, ZoneFinder } from '@kron/core'
import type { Entry } from '@kron/host'

/** The same entry with the zone that has its name now. Entries that shared a schedule still share one. */
export function entriesIn(findZone: ZoneFinder): (entry: Entry) => Entry {
  const renewed = new Map<Schedule, Schedule>()
  return entry => {
    const { schedule } = entry
    const zone = findZone(schedule.zone.name) ?? schedule.zone
    if (zone === schedule.zone) return entry
    const again = renewed.get(schedule) ?? { ...schedule, zone }
    renewed.set(schedule, again)
    return entry.withSchedule(again)
  }
}
