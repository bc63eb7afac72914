import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { decide, next, printInstant } from '@kron/core'
import type { Entry, HistoryEntry, State } from '@kron/host'

/** Writes state files as if the jobs had run for hours, for pictures of a long-lived daemon. */
export function writeHistory(stateDir: string, entries: readonly Entry[], now: number, hours: number): void {
  for (const entry of entries) {
    if (entry.schedule.policy.suspend) continue
    const history = historyOf(entry, now - hours * 3_600, now)
    const last = history.at(-1)
    if (last === undefined) continue
    const file = `${createHash('sha256').update(entry.identity).digest('hex')}.json`
    writeFileSync(`${stateDir}/${file}`, JSON.stringify(stateOf(entry, history, last)), { mode: 0o600 })
  }
}

function historyOf(entry: Entry, from: number, to: number): HistoryEntry[] {
  const { cron, zone } = entry.schedule
  const history: HistoryEntry[] = []
  for (
    let nominal = next(cron, zone, from);
    nominal !== undefined && nominal < to;
    nominal = next(cron, zone, nominal)
  ) {
    const decision = decide(entry, nominal)
    if (decision.chosen === null) continue
    if (decision.chosen <= to) history.push(outcomeOf(entry, nominal, decision.chosen, decision.seedHash, to))
  }
  return history
}

const DURATIONS: Readonly<Record<string, number>> = {
  'backup/database': 1_500,
  'backup/files': 900,
  'cache/refresh': 20,
  'index/build': 75,
  'feed/follow': 118,
  'report/stuck': 15,
  'queue/poll': 5,
}

function outcomeOf(
  entry: Entry,
  nominal: number,
  chosen: number,
  seedHash: string,
  now: number,
): HistoryEntry {
  const chance = Number.parseInt(seedHash.slice(-4), 16) / 65_536
  const common = {
    PeriodID: printInstant(nominal),
    NominalTime: printInstant(nominal),
    ChosenTime: printInstant(chosen),
  }
  if (entry.name === 'index/build' && nominal % 120 === 0)
    return {
      ...common,
      Outcome: 'skipped',
      Reason: 'concurrency',
      CompletedAt: printInstant(chosen),
      ExitCode: null,
    }
  if (chance < 0.002)
    return {
      ...common,
      Outcome: 'missed',
      Reason: 'deadline',
      CompletedAt: printInstant(Math.min(now, chosen + 60)),
      ExitCode: null,
    }
  const duration = Math.round((DURATIONS[entry.name] ?? 1) * (0.8 + 0.4 * chance))
  const ran = {
    ...common,
    Outcome: 'executed',
    StartedAt: printInstant(chosen),
    // None runs at the end of the made-up time.
    CompletedAt: printInstant(Math.min(now, chosen + duration)),
    DurationMs: Math.round((DURATIONS[entry.name] ?? 1) * (0.6 + 0.8 * chance) * 1_000),
  } as const
  if (entry.name === 'report/stuck') return { ...ran, ExitCode: null, Signal: 'SIGTERM', Reason: 'timeout' }
  if (entry.name === 'feed/follow') return { ...ran, ExitCode: null, Signal: 'SIGTERM', Reason: 'replaced' }
  return { ...ran, ExitCode: entry.name === 'import/flaky' ? 3 : 0 }
}

function stateOf(entry: Entry, history: readonly HistoryEntry[], last: HistoryEntry): State {
  return {
    Version: '1',
    Identity: entry.identity,
    Seq: history.length,
    FirstSeen: history[0]!.NominalTime,
    HandledThrough: last.NominalTime,
    HandledPeriods: [],
    LastHandledPeriodID: last.PeriodID,
    LastOutcome: last.Outcome,
    LastReason: last.Reason ?? '',
    LastChosenTime: last.ChosenTime,
    LastNominalTime: last.NominalTime,
    LastRunTime: last.StartedAt ?? '',
    LastExitCode: last.ExitCode,
    SeedHash: '',
    ActiveExecution: null,
    ConcurrentExecutions: [],
    History: history.slice(-400),
  }
}
