import { outcomeKindOf } from '@kron/core'
import type { OutcomeRecord } from '../api/run.ts'
import { usageOfHistory } from './run-usage.ts'
import type { HistoryEntry, ManualRun, State } from './state.ts'

/** The outcome of a period as the API and `krontab history` show it. */
export const outcomeOfEntry = (identity: string, entry: HistoryEntry): OutcomeRecord => ({
  identity,
  runId: entry.ExecutionID ?? null,
  trigger: 'schedule',
  by: null,
  periodId: entry.PeriodID,
  ...factsOf(entry),
  nominalTime: entry.NominalTime,
  chosenTime: entry.ChosenTime || null,
  startedAt: entry.StartedAt || null,
  completedAt: entry.CompletedAt,
  durationMs: entry.DurationMs ?? null,
  ...usageOfHistory(entry),
  ...(entry.Example && { example: true as const }),
})

/** The outcome of a manual run; undefined while it runs. */
export function outcomeOfManual(identity: string, run: ManualRun): OutcomeRecord | undefined {
  if (run.CompletedAt === undefined) return undefined
  return {
    identity,
    runId: run.ExecutionID,
    trigger: 'manual',
    by: run.User,
    periodId: null,
    ...factsOf({ ...run, Outcome: 'executed', ExitCode: run.ExitCode ?? null }),
    nominalTime: null,
    chosenTime: null,
    startedAt: run.StartedAt || null,
    completedAt: run.CompletedAt,
    durationMs: run.DurationMs ?? null,
    ...usageOfHistory(run),
  }
}

/** The outcomes that happened, of periods and manual runs, in the order in which they ended. */
export const outcomesOf = (state: State): readonly OutcomeRecord[] => {
  const shown = shownOutcomesOf(state)
  return shown.some(isExample) ? shown.filter(each => !isExample(each)) : shown
}

const isExample = ({ example }: OutcomeRecord): boolean => example === true

/** The outcomes to show in a history: those that happened, and marked examples of a demonstration. */
export function shownOutcomesOf({ Identity, History, ManualRuns = [] }: State): readonly OutcomeRecord[] {
  const periods = History.map(entry => outcomeOfEntry(Identity, entry))
  if (ManualRuns.length === 0) return periods
  const manual = ManualRuns.flatMap(run => outcomeOfManual(Identity, run) ?? [])
  // A stable sort: outcomes of one second stay in the order in which they were recorded.
  return [...periods, ...manual].sort((a, b) =>
    a.completedAt < b.completedAt ? -1 : a.completedAt > b.completedAt ? 1 : 0,
  )
}

type Ended = Pick<HistoryEntry, 'Outcome' | 'Reason' | 'ExitCode' | 'Signal'>

function factsOf(entry: Ended) {
  const facts = {
    outcome: entry.Outcome,
    reason: entry.Reason ?? '',
    exitCode: entry.ExitCode,
    signal: entry.Signal ?? null,
  }
  return { kind: outcomeKindOf(facts), ...facts }
}
