import {
  clockBeside,
  drawWindow,
  facts,
  grouped,
  indent,
  localText,
  relativeText,
  type Style,
  styleOf,
  type Terminal,
  table,
} from '@kron/cli'
import {
  type Attempt,
  calendarsOf,
  type Explanation,
  fallbackOfDecision,
  printConstraints,
  printCron,
  printDistribution,
  printDuration,
  printInstant,
  weightsOf,
} from '@kron/core'
import type { Entry } from '@kron/host'
import { FALLBACK_REASONS } from './weights.ts'

const MARGIN = 4
const WIDEST_DRAWING = 100

/** The answer to "why did it run at 10:37?": schedule, period, window, seed, attempts, chosen. */
export function explainText(
  entry: Entry,
  explanation: Explanation,
  now: number,
  saltOrigin: string | undefined,
  terminal: Terminal,
): string[] {
  const style = styleOf(terminal)
  const { decision, attempts } = explanation
  const drawing = drawWindow(explanation, Math.min(WIDEST_DRAWING, terminal.width - 2 * MARGIN), terminal)
  return [
    answer(entry, explanation, now, style),
    '',
    ...indent(facts(steps(explanation, saltOrigin, terminal), style.faint)),
    ...(attempts.length === 0 ? [] : ['', ...indent(attemptTable(attempts, decision, terminal), MARGIN)]),
    ...(drawing.length === 0 ? [] : ['', ...indent(drawing, MARGIN)]),
  ]
}

function answer({ name }: Entry, { decision }: Explanation, now: number, style: Style): string {
  const { chosen, job, nominal } = decision
  const { zone, policy } = job.schedule
  if (chosen === null) {
    return `${style.strong(name)} ${style.bad('does not run')} in the period of ${localText(nominal, zone)}: no allowed time was found`
  }
  const verb = policy.suspend ? 'is suspended, or else due' : chosen < now ? 'was due' : 'is due'
  const utc = zone.name === 'UTC' ? '' : ` = ${printInstant(chosen)}`
  return `${style.strong(name)} ${verb} ${style.good(localText(chosen, zone))}${utc}, ${relativeText(chosen, now)}`
}

function steps(
  explanation: Explanation,
  saltOrigin: string | undefined,
  { unicode }: Terminal,
): [string, string | string[]][] {
  const { decision } = explanation
  const { job, nominal, windowStart, windowEnd, periodKey, seedHash, chosen } = decision
  const { cron, zone, window, distribution, seed, constraints } = job.schedule
  const arrow = unicode ? '→' : '->'
  const clock = (at: number): string => clockBeside(at, nominal, zone)
  const seconds = windowEnd - windowStart
  const salt =
    seed.salt === ''
      ? ''
      : `, salt ${JSON.stringify(seed.salt)}${saltOrigin === undefined ? '' : ` (${saltOrigin})`}`
  const limits = printConstraints(constraints)
  return [
    ['schedule', `${printCron(cron)} in ${zone.name}${zone.source === '' ? '' : ` (${zone.source})`}`],
    ['period', `${localText(nominal, zone)}${zone.name === 'UTC' ? '' : ` = ${printInstant(nominal)}`}`],
    [
      'window',
      seconds === 0
        ? 'none: the nominal time itself'
        : `${window.mode} ${printDuration(window.duration)}: ${clock(windowStart)} ${arrow} ${clock(windowEnd)}, ${grouped(seconds + 1)} seconds to choose from`,
    ],
    ...(seconds === 0 ? [] : ([['spread', printDistribution(distribution)]] as [string, string][])),
    ['seed', `${seed.strategy}: ${periodKey}${salt}`],
    ['identity', job.identity],
    ['hash', seedHash],
    ...(limits === '' ? [] : ([['limits', limits]] as [string, string][])),
    ...calendarsOf(job.schedule).map(({ name, digest }): [string, string] => [
      'calendar',
      `${name} ${digest}`,
    ]),
    ...weightsStep(decision),
    ['attempts', attemptSummary(seconds, explanation)],
    ['chosen', chosen === null ? 'none: unschedulable' : `${localText(chosen, zone)}, ${place(decision)}`],
  ]
}

/** The version of the curve, and whether the window follows it. */
function weightsStep(decision: Explanation['decision']): [string, string][] {
  const weights = weightsOf(decision.job.schedule)
  if (weights === undefined) return []
  const digest = weights.curve?.digest ?? ''
  const fallback = fallbackOfDecision(decision)
  const how = fallback === undefined ? '' : `: spread evenly, because ${FALLBACK_REASONS[fallback]}`
  return [['weights', `${weights.file}${digest === '' ? '' : ` ${digest}`}${how}`]]
}

function attemptSummary(seconds: number, { attempts, rejectedBy }: Explanation): string {
  if (rejectedBy !== undefined) return `none: the only second is refused by ${rejectedBy}`
  if (seconds === 0) return 'none needed'
  const refused = attempts.filter(each => each.rejectedBy !== undefined).length
  return refused === 0 ? `${attempts.length}, accepted at once` : `${attempts.length}, ${refused} refused`
}

function place({ chosen, windowStart, windowEnd }: Explanation['decision']): string {
  const seconds = windowEnd - windowStart
  return seconds === 0
    ? 'the only second there is'
    : `second ${grouped(chosen! - windowStart)} of ${grouped(seconds)}`
}

function attemptTable(
  attempts: readonly Attempt[],
  { nominal, job }: Explanation['decision'],
  terminal: Terminal,
): string[] {
  const style = styleOf(terminal)
  const heads = [
    { title: '#', align: 'right' as const },
    { title: 'u' },
    { title: 'x', leaveOut: 1 },
    { title: 'second', align: 'right' as const },
    { title: 'time' },
    { title: '' },
  ]
  const rows = attempts.map(({ u, x, offset, candidate, rejectedBy }, i) => [
    String(i + 1),
    u.toFixed(6),
    x.toFixed(6),
    grouped(offset),
    clockBeside(candidate, nominal, job.schedule.zone),
    rejectedBy === undefined ? style.good('accepted') : style.bad(`refused by ${rejectedBy}`),
  ])
  return table(heads, rows, terminal.width - MARGIN, style.faint)
}
