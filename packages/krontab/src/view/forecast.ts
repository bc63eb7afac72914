import {
  bar,
  columns,
  facts,
  grouped,
  indent,
  padEnd,
  padStart,
  plural,
  type Style,
  spanText,
  styleOf,
  type Terminal,
  table,
} from '@kron/cli'
import { type Load, loadOf, printDuration, printInstant, SECOND } from '@kron/core'
import type { FleetCount } from '../fleet/fleet-forecast.ts'
import { bucketsAbove, type Outlook } from '../outlook.ts'

const MOST_ROWS = 48
const MOST_ABOVE = 12

export function forecastText(outlook: Outlook, terminal: Terminal): string[] {
  const { forecast, jobs, capacity, fleet } = outlook
  const style = styleOf(terminal)
  const { from, to, bucket } = forecast
  const hosts = fleet === undefined ? '' : ` on ${plural(fleet.hosts, 'host')}`
  const title = `${plural(jobs, 'job')}${hosts}, ${spanText(to - from)} from ${printInstant(from)}, starts per ${printDuration(bucket * SECOND)}`
  return [
    style.strong(title),
    '',
    ...indent(histograms(outlook, terminal, style)),
    '',
    ...indent(comparison(outlook, style)),
    ...(fleet === undefined ? busiestText(outlook, style) : busiestSecondsText(fleet, style)),
    ...(capacity === undefined ? [] : capacityText(outlook, capacity, style)),
  ]
}

/** Both histograms side by side; where there are too many buckets, a row shows the fullest of several. */
function histograms({ forecast, capacity }: Outlook, terminal: Terminal, style: Style): string[] {
  const { spread, plain, from, to, bucket } = forecast
  const per = Math.ceil(spread.length / MOST_ROWS)
  const merge = (counts: Uint32Array): number[] =>
    Array.from({ length: Math.ceil(counts.length / per) }, (_, i) =>
      Math.max(...counts.subarray(i * per, (i + 1) * per)),
    )
  const [kron, bare] = [merge(spread), merge(plain)]
  const most = Math.max(1, ...kron, ...bare)
  const digits = grouped(most).length
  const labels = kron.map((_, i) => timeLabel(from + i * per * bucket, to - from))
  const labelWidth = Math.max(...labels.map(columns))
  const barWidth = Math.max(8, Math.floor((terminal.width - 2 - labelWidth - 2 * (digits + 3) - 2) / 2))
  const side = (count: number, paint: (text: string) => string): string =>
    `${padStart(grouped(count), digits)} ${padEnd(paint(bar(count / most, barWidth, terminal.unicode)), barWidth)}`
  const head = `${' '.repeat(labelWidth)}  ${padEnd('with Kron', digits + 1 + barWidth)}  without windows`
  const rows = kron.map((count, i) => {
    const paint = capacity !== undefined && count > capacity ? style.bad : style.good
    return `${padEnd(labels[i]!, labelWidth)}  ${side(count, paint)}  ${side(bare[i]!, style.faint)}`.trimEnd()
  })
  const note = per === 1 ? [] : [style.faint(`each row shows the fullest of ${per} buckets`)]
  return [style.faint(head), ...rows, ...note]
}

const timeLabel = (at: number, span: number): string =>
  span <= 86_400 ? printInstant(at).slice(11, 16) : printInstant(at).slice(5, 16).replace('T', ' ')

function comparison({ forecast }: Outlook, style: Style): string[] {
  const { spread, plain, from, bucket } = forecast
  const [kron, bare] = [loadOf(spread), loadOf(plain)]
  const when = ({ peak, peakBucket }: Load): string =>
    peak === 0 ? '' : printInstant(from + peakBucket * bucket)
  const rows = [
    ['starts', grouped(kron.total), grouped(bare.total)],
    ['peak', grouped(kron.peak), grouped(bare.peak)],
    ['peak at', when(kron), when(bare)],
    ['mean', kron.mean.toFixed(2), bare.mean.toFixed(2)],
    ['peak/mean', kron.ratio.toFixed(1), bare.ratio.toFixed(1)],
  ]
  const right = { align: 'right' as const }
  return table(
    [{ title: '' }, { title: 'with Kron', ...right }, { title: 'without windows', ...right }],
    rows,
    undefined,
    style.faint,
  )
}

function busiestText({ busiest }: Outlook, style: Style): string[] {
  if (busiest.length === 0) return []
  const rows = busiest.map(({ minute, starts, jobs }) => {
    const more = starts > jobs.length ? `, and ${grouped(starts - jobs.length)} more` : ''
    return [
      `${printInstant(minute).slice(0, 16)}Z`,
      `${plural(starts, 'start')}: ${jobs.join(', ')}${more}`,
    ] as const
  })
  return ['', 'busiest minutes with Kron', ...indent(facts(rows, style.strong))]
}

function busiestSecondsText({ busiestSeconds }: FleetCount, style: Style): string[] {
  if (busiestSeconds.length === 0) return []
  const rows = busiestSeconds.map(({ second, starts, runs }) => {
    const named = runs.map(({ host, job }) => `${job} on ${host}`).join(', ')
    const more = starts > runs.length ? `, and ${grouped(starts - runs.length)} more` : ''
    return [printInstant(second), `${plural(starts, 'start')}: ${named}${more}`] as const
  })
  return ['', 'busiest seconds with Kron', ...indent(facts(rows, style.strong))]
}

function capacityText({ forecast }: Outlook, capacity: number, style: Style): string[] {
  const above = bucketsAbove(forecast, capacity)
  if (above.length === 0) return ['', style.good(`no bucket has more than ${plural(capacity, 'start')}`)]
  const rows = above.slice(0, MOST_ABOVE).map(i => {
    const start = printInstant(forecast.from + i * forecast.bucket)
    return [start, `${plural(forecast.spread[i]!, 'start')}`] as const
  })
  const more = above.length > MOST_ABOVE ? [style.faint(`and ${above.length - MOST_ABOVE} more`)] : []
  const title = `${plural(above.length, 'bucket')} above the capacity of ${capacity}`
  return ['', style.bad(title), ...indent([...facts(rows), ...more])]
}
