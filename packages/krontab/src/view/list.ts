import {
  type Column,
  columns,
  indent,
  localText,
  plural,
  relativeText,
  type Style,
  styleOf,
  type Terminal,
  table,
  visible,
} from '@kron/cli'
import { type Decision, printCron, printDuration, triggerOf } from '@kron/core'
import { activeOf, type Entry, type State } from '@kron/host'
import { lastOutcomeText } from './outcome.ts'

const INDENT = 2

export interface Listed {
  readonly entry: Entry
  readonly next: Decision | undefined
  readonly state: State | undefined
}

export function listText(
  listed: readonly Listed[],
  at: number,
  withState: boolean,
  terminal: Terminal,
): string[] {
  const style = styleOf(terminal)
  const described = listed.some(({ entry }) => entry.description !== '')
  const heads: Column[] = [
    { title: 'job', paint: style.strong },
    { title: 'schedule' },
    { title: 'zone', least: 12, leaveOut: 2 },
    { title: 'window', leaveOut: 4 },
    { title: 'next' },
    { title: '', leaveOut: 3 },
    ...(withState ? [{ title: 'last' }] : []),
    ...(described ? [{ title: 'description', least: 16, leaveOut: 1 }] : []),
  ]
  const rows = (isBrief: boolean) =>
    listed.map(({ entry, next, state }) => [
      entry.name,
      printCron(entry.schedule.cron),
      entry.schedule.zone.name,
      windowText(entry),
      ...nextText(entry, next, at, style),
      ...(withState
        ? [state === undefined ? '' : lastOutcomeText(state, activeOf(state).length, terminal, isBrief)]
        : []),
      ...(described ? [visible(entry.description)] : []),
    ])
  const width = terminal.width - INDENT
  const full = table(heads, rows(false), width, style.faint)
  const isNarrow = full.some(line => columns(line) > width)
  const files = new Set(listed.map(({ entry }) => entry.path)).size
  const title = `${plural(listed.length, 'job')} in ${plural(files, 'file')}`
  if (listed.length === 0) return [title]
  return [title, '', ...indent(isNarrow ? table(heads, rows(true), width, style.faint) : full, INDENT)]
}

const windowText = ({ schedule: { window } }: Entry): string =>
  window.duration === 0 ? '' : `${window.mode} ${printDuration(window.duration)}`

function nextText(
  { schedule }: Entry,
  next: Decision | undefined,
  at: number,
  style: Style,
): [string, string] {
  if (schedule.policy.suspend) return [style.warn('suspended'), '']
  if (next === undefined) return [style.faint('never'), '']
  const when = relativeText(triggerOf(next), at)
  if (next.chosen === null) return [style.bad('unschedulable'), when]
  return [localText(next.chosen, schedule.zone), when]
}
