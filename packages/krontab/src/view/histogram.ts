import {
  bar,
  columns,
  grouped,
  padEnd,
  padStart,
  plural,
  type Style,
  spanText,
  type Terminal,
  table,
} from '@kron/cli'
import { printDuration, printInstant, SECOND, type Span } from '@kron/core'

/** One of two histograms that are printed side by side. */
export interface Side {
  readonly title: string
  readonly counts: Uint32Array
  paint(count: number, text: string): string
}

/** The heading of a table of load: how many jobs, for how long, in which buckets. */
export function loadTitle(jobs: number, hosts: number | undefined, { from, to, bucket }: Span): string {
  const fleet = hosts === undefined ? '' : ` on ${plural(hosts, 'host')}`
  return `${plural(jobs, 'job')}${fleet}, ${spanText(to - from)} from ${printInstant(from)}, starts per ${printDuration(bucket * SECOND)}`
}

/** Two histograms side by side; if there are too many buckets, a row shows the fullest of several. */
export function twoHistograms(
  { from, to, bucket }: Span,
  [left, right]: readonly [Side, Side],
  mostRows: number,
  terminal: Terminal,
  style: Style,
): string[] {
  const per = Math.ceil(left.counts.length / mostRows)
  const merge = ({ counts }: Side): number[] =>
    Array.from({ length: Math.ceil(counts.length / per) }, (_, i) =>
      Math.max(...counts.subarray(i * per, (i + 1) * per)),
    )
  const [first, second] = [merge(left), merge(right)]
  const most = Math.max(1, ...first, ...second)
  const digits = grouped(most).length
  const labels = first.map((_, i) => timeLabel(from + i * per * bucket, to - from))
  const labelWidth = Math.max(...labels.map(columns))
  const barWidth = Math.max(8, Math.floor((terminal.width - 2 - labelWidth - 2 * (digits + 3) - 2) / 2))
  const cell = (count: number, side: Side): string =>
    `${padStart(grouped(count), digits)} ${padEnd(side.paint(count, bar(count / most, barWidth, terminal.unicode)), barWidth)}`
  const head = `${' '.repeat(labelWidth)}  ${padEnd(left.title, digits + 1 + barWidth)}  ${right.title}`
  const rows = first.map((count, i) =>
    `${padEnd(labels[i]!, labelWidth)}  ${cell(count, left)}  ${cell(second[i]!, right)}`.trimEnd(),
  )
  const note = per === 1 ? [] : [style.faint(`each row shows the fullest of ${per} buckets`)]
  return [style.faint(head), ...rows, ...note]
}

/** A table of figures: one row each, for the left and for the right histogram. */
export function twoColumns(
  titles: readonly [string, string],
  rows: readonly string[][],
  style: Style,
): string[] {
  const heads = titles.map(title => ({ title, align: 'right' as const }))
  return table([{ title: '' }, ...heads], rows, undefined, style.faint)
}

const timeLabel = (at: number, span: number): string =>
  span <= 86_400 ? printInstant(at).slice(11, 16) : printInstant(at).slice(5, 16).replace('T', ' ')
