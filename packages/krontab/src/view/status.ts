import { facts, indent, plural, styleOf, type Terminal, table } from '@kron/cli'
import { fileOf, nameOf, type State, type States } from '@kron/host'
import { activeRun, activeRunsOf } from '../daemon/job-history.ts'
import { runningText } from './history.ts'
import { lastOutcomeText } from './outcome.ts'

export function statusText(
  directory: string,
  states: States,
  /** The number of jobs that are gone from their files. */
  gone: number,
  now: number,
  terminal: Terminal,
): string[] {
  const style = styleOf(terminal)
  const all = sorted(states)
  const running = all.flatMap(state =>
    activeRunsOf(state).map(each => [nameOf(state.Identity), runningText(activeRun(each), now)] as const),
  )
  const rows = all.map(state => [
    nameOf(state.Identity),
    lastOutcomeText(state, activeRunsOf(state).length, terminal),
    state.LastHandledPeriodID,
    state.LastRunTime,
    fileOf(state.Identity),
  ])
  const heads = [
    { title: 'job', paint: style.strong },
    { title: 'last outcome' },
    { title: 'period', leaveOut: 3 },
    { title: 'last run', leaveOut: 2 },
    { title: 'file', least: 16, leaveOut: 1, paint: style.faint },
  ]
  return [
    `${plural(all.length, 'job')} in ${directory}, ${running.length} running`,
    ...(running.length === 0 ? [] : ['', ...indent(facts(running, style.accent))]),
    ...(rows.length === 0 ? [] : ['', ...indent(table(heads, rows, terminal.width - 2, style.faint))]),
    ...(gone === 0
      ? []
      : ['', style.faint(`${plural(gone, 'job')} ${gone === 1 ? 'is' : 'are'} gone: see krontab prune`)]),
    ...states.unreadable.map(({ path, why }) => style.bad(`cannot read ${path}: ${why}`)),
  ]
}

export const sorted = ({ byIdentity }: States): State[] =>
  [...byIdentity.values()].sort((a, b) => (a.Identity < b.Identity ? -1 : 1))
