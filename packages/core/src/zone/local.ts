import { EPOCH_DAY, monthOf, monthOfYear, monthStart, weekdayOf, yearOf } from './calendar.ts'
import { clampToTable, type Zone } from './zone.ts'

/** The local time and date in a zone. */
export interface LocalTime {
  readonly year: number
  readonly month: number
  readonly day: number
  /** 0 = Sunday. */
  readonly weekday: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** The local time at an instant from 1970 to 2200, and some years beyond either. */
export function localTime(zone: Zone, at: number): LocalTime {
  const instant = clampToTable(at)
  const local = instant + zone.offsetAt(instant) + EPOCH_DAY * 86400
  const day = (local / 86400) | 0
  const ofDay = (local - day * 86400) | 0
  const minutes = (ofDay / 60) | 0
  const hour = (minutes / 60) | 0
  const month = monthOf(day)
  return {
    year: yearOf(month),
    month: monthOfYear(month) + 1,
    day: day - monthStart(month) + 1,
    weekday: weekdayOf(day),
    hour,
    minute: minutes - hour * 60,
    second: ofDay - minutes * 60,
  }
}
