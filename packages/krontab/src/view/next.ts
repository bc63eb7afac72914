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

const MINIATURE = 13

export function nextOfOneText(
  entry: Entry,
  decisions: readonly Decision[],
  at: number,
  terminal: Terminal,
): string[] {
  const style = styleOf(terminal)
  const { zone, policy } = entry.schedule
  const utc = zone.name === 'UTC'
  const heads: Column[] = [
    { title: utc ? 'chosen' : `chosen, ${zone.name}` },
    ...(utc ? [] : [{ title: 'UTC' }]),
    { title: '' },
    { title: 'window' },
  ]
  const rows = decisions.map(decision => [
    whenText(decision, style),
    ...(utc ? [] : [decision.chosen === null ? '' : printInstant(decision.chosen)]),
    relativeText(triggerOf(decision), at),
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
  decisions: readonly Decision[],
  jobs: number,
  at: number,
  terminal: Terminal,
): string[] {
  const style = styleOf(terminal)
  const heads: Column[] = [
    { title: 'chosen, UTC' },
    { title: '' },
    { title: 'job', paint: style.strong },
    { title: 'local time', least: 20 },
  ]
  const rows = decisions.map(decision => {
    const { zone } = decision.job.schedule
    return [
      decision.chosen === null ? style.bad('unschedulable') : printInstant(decision.chosen),
      relativeText(triggerOf(decision), at),
      nameOf(decision.job.identity),
      zone.name === 'UTC' ? '' : `${localText(triggerOf(decision), zone)} ${zone.name}`,
    ]
  })
  const title = `${jobs === 1 ? 'the only job' : `${jobs} jobs`} after ${printInstant(at)}`
  return [title, '', ...indent(body(heads, rows, terminal))]
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
