import { indent, relativeText, spanText, styleOf, type Terminal, table } from '@kron/cli'
import { parseInstant } from '@kron/core'
import { type ActiveState, activeOf, type HistoryEntry, nameOf, type State } from '@kron/host'
import { outcomeText } from './outcome.ts'

export function historyText(
  state: State,
  entries: readonly HistoryEntry[],
  now: number,
  terminal: Terminal,
): string[] {
  const style = styleOf(terminal)
  const running = activeOf(state).map(each => `${style.accent('running')} ${runningText(each, now)}`)
  const rows = entries.map(entry => [
    entry.PeriodID,
    entry.ChosenTime || style.faint('none'),
    lateness(entry),
    duration(entry),
    outcomeText(entry, style),
    style.faint(ago(entry.CompletedAt, now)),
  ])
  const heads = [
    { title: 'period' },
    { title: 'chosen' },
    { title: 'late', align: 'right' as const },
    { title: 'took', align: 'right' as const },
    { title: 'outcome' },
    { title: '' },
  ]
  return [
    `${style.strong(nameOf(state.Identity))}  ${style.faint(state.Identity)}`,
    ...(running.length === 0 ? [] : ['', ...indent(running)]),
    '',
    ...indent(rows.length === 0 ? ['no outcomes yet'] : table(heads, rows, terminal.width - 2, style.faint)),
  ]
}

export function runningText({ PID, StartedAt, PeriodID }: ActiveState, now: number): string {
  const started = instantOf(StartedAt)
  const since = started === undefined ? 'about to start' : `for ${spanText(Math.max(0, now - started))}`
  return `${since}, ${PID === 0 ? 'no PID yet' : `PID ${PID}`}, period ${PeriodID}`
}

function lateness({ ChosenTime, StartedAt }: HistoryEntry): string {
  const [chosen, started] = [instantOf(ChosenTime), instantOf(StartedAt)]
  return chosen === undefined || started === undefined ? '' : spanText(Math.max(0, started - chosen))
}

function duration({ StartedAt, CompletedAt }: HistoryEntry): string {
  const [started, completed] = [instantOf(StartedAt), instantOf(CompletedAt)]
  return started === undefined || completed === undefined ? '' : spanText(Math.max(0, completed - started))
}

function ago(text: string, now: number): string {
  const at = instantOf(text)
  return at === undefined ? '' : relativeText(at, now)
}

function instantOf(text: string | undefined): number | undefined {
  const instant = parseInstant(text ?? '')
  return instant.ok ? instant.value : undefined
}
