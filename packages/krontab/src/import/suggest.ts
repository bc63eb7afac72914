import { next, parseCron, parseCronField } from '@kron/core'
import type { NewEntry } from './job-file.ts'

const WEEK = 7 * 86_400
/** A job that runs this often is part of every minute, so it does not count as a crowd. */
const ALWAYS = 7 * 1440

/** Windows in seconds, by name, for jobs that start together with others: each as long as its hour allows. */
export function suggestWindows(entries: readonly NewEntry[], from: number): Map<string, number> {
  const starts = entries.map(({ entry }) => minutesOf(entry.schedule, from))
  const crowd = new Map<number, number>()
  for (const minutes of starts) {
    if (minutes.length >= ALWAYS) continue
    for (const minute of minutes) crowd.set(minute, (crowd.get(minute) ?? 0) + 1)
  }
  const windows = new Map<string, number>()
  for (const [i, { entry, job }] of entries.entries()) {
    if (entry.schedule.window.duration > 0) continue
    const window = roomOf(job.timing.cron)
    const crowded = starts[i]!.some(minute => (crowd.get(minute) ?? 0) > 1)
    if (window > 0 && crowded) windows.set(entry.name, window)
  }
  return windows
}

function minutesOf({ cron, zone }: NewEntry['entry']['schedule'], from: number): number[] {
  const minutes: number[] = []
  let at = next(cron, zone, from - 1)
  while (at !== undefined && at < from + WEEK) {
    minutes.push(at / 60)
    at = next(cron, zone, at)
  }
  return minutes
}

/** The seconds by which a job may start late and still be in its hour and before its own next start. */
function roomOf(cron: string): number {
  const read = parseCronField(cron.split(/\s+/)[0]!, 'minute', 'kron')
  if (!read.ok || !parseCron(cron, 'kron').ok) return 0
  const minutes = read.value
  const gaps = minutes.map((minute, i) => (minutes[i + 1] ?? 60) - minute)
  const least = Math.min(...gaps)
  // One minute is left free before the next start or the next hour.
  return least > 1 ? (least - 1) * 60 : minutes.length === 60 ? 59 : 0
}
