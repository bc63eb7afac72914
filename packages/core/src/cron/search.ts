import { EPOCH_DAY, monthOf, monthOfYear, monthStart, weekdayOf } from '../zone/calendar.ts'
import { clampToTable, TABLE_END, TABLE_START, type Zone } from '../zone/zone.ts'
import { type Cron, matchesDay, matchesTime } from './cron.ts'
import { dayFrom, dayUpTo } from './day.ts'
import { NONE, timeFrom, timeUpTo } from './time.ts'

/** The instants that are answered: 1970-01-01T00:00:00Z to 2200-12-31T23:59:59Z. */
const FIRST = 0
const LAST = 7_289_654_399

/** No zone is as much as a day away from UTC. */
const DAY = 86_400

/** Seconds. Vixie's cron takes a longer change of the clock for a correction and makes up for nothing. */
const SHORTEST_CORRECTION = 3 * 3_600

/** Local minutes count from the calendar table's first day, so that they are small integers and never negative. */
const EPOCH_MINUTE = EPOCH_DAY * 1440

/** The least occurrence after an instant; undefined outside 1970–2200. */
export function next(cron: Cron, zone: Zone, after: number): number | undefined {
  if (!(after >= FIRST && after <= LAST)) return undefined
  let row = zone.rowAt(after)
  let offset = zone.offsetOf(row)
  let from = minuteAt(after + offset) + 1
  // Later in a segment, no minute can be one that the clock shows again.
  if (cron.fixedTime && after - zone.startOf(row) < SHORTEST_CORRECTION)
    from = Math.max(from, firstNewMinute(zone, row))
  let minute = localFrom(cron, from)
  for (;;) {
    const instant = secondsOf(minute) - offset
    const end = zone.endOf(row)
    if (instant < end) return instant
    // If the match is far away, skip the segments before it; not if the clock may be set back so that it shows `from` a
    // second time.
    const near = secondsOf(minute) - DAY
    const start = near > end && end > secondsOf(from) + DAY ? near : end
    if (start >= TABLE_END) return undefined
    row = zone.rowAt(start)
    const change = zone.offsetOf(row) - offset
    offset += change
    const first = minuteAt(start + offset + 59)
    if (cron.fixedTime && start === end) {
      // The first minute after the gap makes up for all that it skipped.
      if (first > minute && change < SHORTEST_CORRECTION) return secondsOf(first) - offset
      // The match is not among the minutes that the fold shows again, also where the tables of two years meet.
      if (change <= 0 && change >= -SHORTEST_CORRECTION) continue
    }
    // A gap has jumped over the match, or a fold shows minutes before `from`: search the new segment.
    if (first > minute || first < from) {
      from = first
      minute = localFrom(cron, from)
    }
  }
}

/** The greatest occurrence up to and including an instant; undefined outside 1970–2200. */
export function prev(cron: Cron, zone: Zone, at: number): number | undefined {
  if (!(at >= FIRST && at <= LAST)) return undefined
  let row = zone.rowAt(at)
  let offset = zone.offsetOf(row)
  let upTo = minuteAt(at + offset)
  let minute = localUpTo(cron, upTo)
  for (;;) {
    const instant = secondsOf(minute) - offset
    const start = zone.startOf(row)
    if (instant >= start && !(cron.fixedTime && minute < firstNewMinute(zone, row))) return instant
    if (cron.fixedTime && isSkipped(zone, row, minute))
      return secondsOf(minuteAt(start + offset + 59)) - offset
    const near = secondsOf(minute) + DAY
    const last = near < start && start < secondsOf(upTo) - DAY ? near : start - 1
    if (last < TABLE_START) return undefined
    row = zone.rowAt(last)
    offset = zone.offsetOf(row)
    const final = minuteAt(last + offset)
    if (final < minute || final > upTo) {
      upTo = final
      minute = localUpTo(cron, upTo)
    }
  }
}

/** The first local minute of a segment that no clock has shown before: later than its start if the clock was set back. */
function firstNewMinute(zone: Zone, row: number): number {
  const start = zone.startOf(row)
  if (start <= TABLE_START) return 0
  const before = zone.rowAt(start - 1)
  const change = zone.offsetOf(row) - zone.offsetOf(before)
  if (change < 0 && change >= -SHORTEST_CORRECTION) return minuteAt(start + zone.offsetOf(before))
  // The tables of two years meet shortly after a change.
  const isShort = start - zone.startOf(before) <= SHORTEST_CORRECTION
  return change === 0 && isShort ? firstNewMinute(zone, before) : 0
}

/** Whether a local minute before a segment is one that the clock skipped to begin it. */
function isSkipped(zone: Zone, row: number, minute: number): boolean {
  const start = zone.startOf(row)
  const offset = zone.offsetAt(start - 1)
  const change = zone.offsetOf(row) - offset
  if (change <= 0 || change >= SHORTEST_CORRECTION) return false
  return minute >= minuteAt(start + offset)
}

/** Whether the local minute that holds an instant matches. */
export function matches(cron: Cron, zone: Zone, at: number): boolean {
  const instant = clampToTable(at)
  const minute = minuteAt(instant + zone.offsetAt(instant))
  const day = (minute / 1440) | 0
  const ofDay = minute - day * 1440
  const hour = (ofDay / 60) | 0
  const month = monthOf(day)
  return (
    matchesTime(cron, hour, ofDay - hour * 60) &&
    matchesDay(cron, monthOfYear(month) + 1, day - monthStart(month) + 1, weekdayOf(day))
  )
}

/** The local minute of local seconds since 1970. */
const minuteAt = (local: number): number => ((local + EPOCH_MINUTE * 60) / 60) | 0

const secondsOf = (minute: number): number => (minute - EPOCH_MINUTE) * 60

/** The least matching local minute from `minute` on; beyond the table if there is none. */
function localFrom(cron: Cron, minute: number): number {
  const today = (minute / 1440) | 0
  const time = timeFrom(cron, minute - today * 1440)
  const day = dayFrom(cron, time === NONE ? today + 1 : today)
  return day * 1440 + (day === today ? time : timeFrom(cron, 0))
}

/** The greatest matching local minute up to `minute`; before the table if there is none. */
function localUpTo(cron: Cron, minute: number): number {
  const today = (minute / 1440) | 0
  const time = timeUpTo(cron, minute - today * 1440)
  const day = dayUpTo(cron, time === NONE ? today - 1 : today)
  return day * 1440 + (day === today ? time : timeUpTo(cron, 1439))
}
