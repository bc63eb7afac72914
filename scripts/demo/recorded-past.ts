/** A short past for the jobs of `npm start`, so that a new reader finds a history at once. Each entry is marked. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decide, firstHandled, prev, printInstant, SECOND } from '@kron/core'
import {
  advance,
  argvOf,
  type Entry,
  type HistoryEntry,
  parseJobFile,
  printState,
  seen,
  stateFileName,
} from '@kron/host'

/** Seconds. */
const AT_MOST = 2 * 3_600
const FEWEST = 3
const MOST = 45
/** The time that a small command takes. */
const QUICK_MS = 4

/** Writes a state with a recorded past for every job that has no state yet. `now` is in epoch seconds. */
export function recordPast(jobsDirectory: string, stateDirectory: string, now: number): void {
  if (readdirSync(stateDirectory).some(name => name.endsWith('.json'))) return
  for (const name of readdirSync(jobsDirectory).filter(each => each.endsWith('.kron'))) {
    const path = join(jobsDirectory, name)
    for (const entry of parseJobFile(readFileSync(path, 'utf8'), path).entries) {
      const file = join(stateDirectory, stateFileName(entry.identity))
      if (existsSync(file)) continue
      const state = advance(undefined, entry.identity, seen(firstHandled(entry.schedule, now)))
      writeFileSync(file, printState({ ...state, History: pastOf(entry, now) }), { mode: 0o600 })
    }
  }
}

/** The entries that krond would have written if it had run since then. */
export function pastOf(entry: Entry, now: number): readonly HistoryEntry[] {
  const runs = chosenBefore(entry, now)
  const past: HistoryEntry[] = []
  let busyUntil = 0
  for (const [i, { nominal, chosen }] of runs.entries()) {
    const { lasts, ...ending } = endingOf(entry, chosen, runs[i + 1]?.chosen)
    const isSkipped = entry.schedule.policy.concurrency === 'forbid' && chosen < busyUntil
    const ended = chosen + Math.floor(lasts / 1_000)
    if (!isSkipped) busyUntil = chosen + Math.ceil(lasts / 1_000)
    if (!isSkipped && ended >= now) continue
    past.push({
      PeriodID: printInstant(nominal),
      Outcome: isSkipped ? 'skipped' : 'executed',
      NominalTime: printInstant(nominal),
      ChosenTime: printInstant(chosen),
      CompletedAt: printInstant(isSkipped ? chosen : ended),
      ...(isSkipped
        ? { ExitCode: null, Reason: 'concurrency' }
        : { ...ending, StartedAt: printInstant(chosen), DurationMs: lasts }),
      Example: true,
    })
  }
  return past
}

function chosenBefore(entry: Entry, now: number): { nominal: number; chosen: number }[] {
  const { cron, zone, policy } = entry.schedule
  const found: { nominal: number; chosen: number }[] = []
  if (policy.suspend) return found
  let nominal = prev(cron, zone, now)
  while (nominal !== undefined && found.length < MOST) {
    const { chosen } = decide(entry, nominal)
    if (chosen !== null && chosen < now) {
      if (found.length >= FEWEST && now - chosen > AT_MOST) break
      found.push({ nominal, chosen })
    }
    nominal = prev(cron, zone, nominal - 1)
  }
  return found.reverse()
}

/** How the command of an example ends: it sleeps, may run into its timeout, may be replaced, and exits. */
function endingOf(entry: Entry, chosen: number, following: number | undefined) {
  const text = argvOf(entry).join(' ')
  const sleeps = [...text.matchAll(/sleep (\d+)/g)].reduce((sum, [, seconds]) => sum + Number(seconds), 0)
  const timeout = (entry.settings.timeout ?? Number.POSITIVE_INFINITY) / SECOND
  const replacedAfter =
    entry.schedule.policy.concurrency === 'replace' && following !== undefined
      ? following - chosen
      : Number.POSITIVE_INFINITY
  const least = Math.min(sleeps, timeout, replacedAfter)
  const lasts = least * 1_000 + QUICK_MS
  if (least === sleeps) return { lasts, ExitCode: Number(/exit (\d+)/.exec(text)?.[1] ?? 0) }
  return { lasts, ExitCode: null, Signal: 'SIGTERM', Reason: least === timeout ? 'timeout' : 'replaced' }
}
