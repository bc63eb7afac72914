import type { Style } from '@kron/cli'
import type { HistoryEntry, State } from '@kron/host'

/** How a period ended, in a few words. */
export function outcomeText(entry: HistoryEntry, style: Style): string {
  if (entry.Outcome !== 'executed') return notExecuted(entry.Outcome, entry.Reason ?? '', style)
  const why = entry.Reason === undefined || entry.Reason === '' ? '' : ` (${entry.Reason})`
  if (entry.Signal !== undefined) return style.bad(`killed by ${entry.Signal}${why}`)
  if (entry.ExitCode === null) return style.warn(`exit status unknown${why}`)
  return (entry.ExitCode === 0 ? style.good : style.bad)(`exit ${entry.ExitCode}${why}`)
}

export function lastOutcomeText(state: State, running: number, style: Style): string {
  if (running > 0) return style.accent(running === 1 ? 'running' : `${running} running`)
  if (state.LastOutcome === '') return style.faint('nothing yet')
  const last = state.History.at(-1)
  if (last?.PeriodID === state.LastHandledPeriodID) return outcomeText(last, style)
  return state.LastOutcome === 'executed'
    ? style.good('executed')
    : notExecuted(state.LastOutcome, state.LastReason, style)
}

const notExecuted = (outcome: string, reason: string, style: Style): string =>
  style.warn(reason === '' ? outcome : `${outcome}: ${reason}`)
