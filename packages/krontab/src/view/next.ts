import {
  type Column,
  clockBeside,
  indent,
  localText,
  miniature,
  relativeText,
  type Style,
  styleOf,
  type Terminal,
  table,
} from '@kron/cli'
import { type Decision, printInstant, triggerOf } from '@kron/core'
import { type Entry, nameOf } from '@kron/host'
import type { PausedPeriod } from '../forecast/pauses.ts'

const MINIATURE = 13
/** Wide enough for a local time with its offset; the name of its zone may be cut. */
const LOCAL_TIME = 31

/** The next decisions, and those among them that do not start at their chosen time. */
export interface Planned {
  readonly decisions: readonly Decision[]
  readonly paused: readonly PausedPeriod[]
}

export function nextOfOneText(
  entry: Entry,
  { decisions, paused }: Planned,
  at: number,
  terminal: Terminal,
): string[] {
  const style = styleOf(terminal)
  const { zone, policy } = entry.schedule
  const utc = zone.name === 'UTC'
  const heads: Column[] = [
    { title: utc ? 'chosen' : `chosen, ${zone.name}` },
    ...(utc ? [] : [{ title: 'UTC', leaveOut: 1 }]),
    waitOrPause(paused, 2),
    { title: 'window', leaveOut: 3 },
  ]
  const startOf = pausedStarts(paused)
  const rows = decisions.map(decision => [
    whenText(decision, style),
    ...(utc ? [] : [decision.chosen === null ? '' : printInstant(decision.chosen)]),
    pausedText(decision, startOf, style) ?? relativeText(triggerOf(decision), at),
    windowText(decision, terminal),
  ])
  const note = policy.suspend ? ` (${style.warn('suspended: none of this will run')})` : ''
  return [
    `${style.strong(entry.name)} after ${localText(at, zone)}${note}`,
    '',
    ...indent(body(heads, rows, terminal)),
  ]
}

export function nextOfAllText(
  { decisions, paused }: Planned,
  jobs: number,
  at: number,
  terminal: Terminal,
): string[] {
  const style = styleOf(terminal)
  const heads: Column[] = [
    { title: 'chosen, UTC' },
    waitOrPause(paused, 1),
    { title: 'job', paint: style.strong },
    { title: 'local time', least: LOCAL_TIME, leaveOut: 2 },
  ]
  const startOf = pausedStarts(paused)
  const rows = decisions.map(decision => {
    const { zone } = decision.job.schedule
    return [
      decision.chosen === null ? style.bad('unschedulable') : printInstant(decision.chosen),
      pausedText(decision, startOf, style) ?? relativeText(triggerOf(decision), at),
      nameOf(decision.job.identity),
      zone.name === 'UTC' ? '' : `${localText(triggerOf(decision), zone)} ${zone.name}`,
    ]
  })
  const title = `${jobs === 1 ? 'the only job' : `${jobs} jobs`} after ${printInstant(at)}`
  return [title, '', ...indent(body(heads, rows, terminal))]
}

/** How long until the start, which a narrow terminal can do without; a pause it cannot. */
const waitOrPause = (paused: readonly PausedPeriod[], leaveOut: number): Column =>
  paused.length === 0 ? { title: '', leaveOut } : { title: '' }

type PausedStarts = ReadonlyMap<Decision, number | undefined>

const pausedStarts = (paused: readonly PausedPeriod[]): PausedStarts =>
  new Map(paused.map(({ decision, start }) => [decision, start]))

function pausedText(decision: Decision, starts: PausedStarts, style: Style): string | undefined {
  if (!starts.has(decision)) return undefined
  return style.warn(starts.get(decision) === undefined ? 'paused: will not run' : 'paused: will start late')
}

const body = (
  heads: readonly Column[],
  rows: readonly (readonly string[])[],
  terminal: Terminal,
): string[] =>
  rows.length === 0 ? ['nothing will run'] : table(heads, rows, terminal.width - 2, styleOf(terminal).faint)

const whenText = ({ chosen, nominal, job }: Decision, style: Style): string =>
  chosen === null
    ? `${style.bad('unschedulable')}: ${localText(nominal, job.schedule.zone)}`
    : localText(chosen, job.schedule.zone)

function windowText(decision: Decision, { unicode }: Terminal): string {
  const { chosen, windowStart, windowEnd, job } = decision
  if (windowStart === windowEnd) return ''
  const { zone } = job.schedule
  const beside = chosen ?? windowStart
  const picture = miniature(decision, MINIATURE, unicode)
  return `${clockBeside(windowStart, beside, zone)} ${picture} ${clockBeside(windowEnd, beside, zone)}`
}
