import { allows, type Decision, type Explanation, frameOf, shapeOf } from '@kron/core'
import { columnChart } from './bars.ts'
import { type Style, styleOf } from './style.ts'
import type { Terminal } from './terminal.ts'
import { clockBeside } from './time.ts'

const ROWS = 5
const FLAT = 0.95

type Signs = Readonly<Record<'line' | 'start' | 'end' | 'closed' | 'refused' | 'chosen' | 'dot', string>>

const UNICODE: Signs = { line: '─', start: '├', end: '┤', closed: '░', refused: '×', chosen: '▲', dot: '●' }
const ASCII: Signs = { line: '-', start: '|', end: '|', closed: ':', refused: 'x', chosen: '^', dot: 'o' }

/** The window drawn to scale: how likely each part is, what the limits close, the refused samples, the chosen one. */
export function drawWindow(explanation: Explanation, width: number, terminal: Terminal): string[] {
  const { decision } = explanation
  if (decision.windowStart === decision.windowEnd) return []
  const signs = terminal.unicode ? UNICODE : ASCII
  const style = styleOf(terminal)
  const closed = closedColumns(decision, width, signs)
  return [
    ...density(decision, width, terminal.unicode).map(row => style.accent(row.trimEnd())),
    ...(closed.trim() === '' ? [] : [style.warn(closed.trimEnd())]),
    axis(explanation, width, signs, style),
    labels(decision, width),
    '',
    legend(explanation, closed, signs, style),
  ]
}

const columnOf = ({ windowStart, windowEnd }: Decision, at: number, width: number): number =>
  Math.min(width - 1, Math.floor(((at - windowStart) / (windowEnd - windowStart + 1)) * width))

function density(
  { job, nominal, windowStart, windowEnd }: Decision,
  width: number,
  unicode: boolean,
): string[] {
  const shape = shapeOf(
    job.schedule.distribution,
    frameOf(job.schedule, nominal, windowStart, windowEnd - windowStart),
  )
  const shares = Array.from({ length: width }, (_, i) => shape.cdf((i + 1) / width) - shape.cdf(i / width))
  const most = Math.max(...shares)
  const heights = shares.map(share => share / most)
  // A uniform distribution needs no drawing.
  const rows = Math.min(...heights) > FLAT ? 1 : ROWS
  return columnChart(heights, rows, unicode).filter(row => row.trim() !== '')
}

/** Marks the columns in which no second is allowed. */
function closedColumns({ job, windowStart, windowEnd }: Decision, width: number, signs: Signs): string {
  const { constraints, zone } = job.schedule
  const seconds = windowEnd - windowStart + 1
  return Array.from({ length: width }, (_, i) => {
    const from = windowStart + Math.floor((i / width) * seconds)
    const to = windowStart + Math.ceil(((i + 1) / width) * seconds)
    for (let at = from; at < to; at += 60) if (allows(constraints, zone, at)) return ' '
    return allows(constraints, zone, to - 1) ? ' ' : signs.closed
  }).join('')
}

function axis({ decision, attempts }: Explanation, width: number, signs: Signs, style: Style): string {
  const cells = [signs.start, ...Array.from({ length: width - 2 }, () => signs.line), signs.end]
  for (const { candidate, rejectedBy } of attempts) {
    cells[columnOf(decision, candidate, width)] = rejectedBy === undefined ? signs.chosen : signs.refused
  }
  return cells.join('').replaceAll(signs.refused, style.bad).replaceAll(signs.chosen, style.good)
}

/** Times under their columns, the chosen one first; a label that would touch another is left out. */
function labels(decision: Decision, width: number): string {
  const { windowStart, windowEnd, nominal, chosen, job } = decision
  const line = Array.from({ length: width }, () => ' ')
  for (const at of chosen === null ? [windowStart, windowEnd] : [chosen, windowStart, windowEnd]) {
    const text = clockBeside(at, nominal, job.schedule.zone)
    const from = Math.max(
      0,
      Math.min(width - text.length, columnOf(decision, at, width) - (text.length >> 1)),
    )
    const around = line.slice(Math.max(0, from - 1), from + text.length + 1)
    if (around.every(sign => sign === ' ')) line.splice(from, text.length, ...text)
  }
  return line.join('').trimEnd()
}

function legend({ decision, attempts }: Explanation, closed: string, signs: Signs, style: Style): string {
  const entries = ['height: how likely']
  if (closed.trim() !== '') entries.push(`${signs.closed} closed by the limits`)
  if (attempts.some(each => each.rejectedBy !== undefined)) entries.push(`${signs.refused} refused`)
  if (decision.chosen !== null) entries.push(`${signs.chosen} chosen`)
  return style.faint(entries.join('   '))
}

/** The chosen instant's place in its window, in one line. */
export function miniature(decision: Decision, width: number, unicode: boolean): string {
  const signs = unicode ? UNICODE : ASCII
  const cells = [signs.start, ...Array.from({ length: width - 2 }, () => signs.line), signs.end]
  if (decision.chosen !== null) cells[columnOf(decision, decision.chosen, width)] = signs.dot
  return cells.join('')
}
