import { facts, grouped, indent, plural, type Style, styleOf, type Terminal } from '@kron/cli'
import { type Load, loadOf, printInstant } from '@kron/core'
import type { FleetCount } from '../fleet/fleet-forecast.ts'
import { bucketsAbove, type Outlook } from '../forecast/outlook.ts'
import { pauseText } from '../forecast/pauses.ts'
import { loadTitle, twoColumns, twoHistograms } from './histogram.ts'

const MOST_ROWS = 48
const MOST_ABOVE = 12

export function forecastText(outlook: Outlook, terminal: Terminal): string[] {
  const { forecast, jobs, capacity, fleet } = outlook
  const style = styleOf(terminal)
  return [
    style.strong(loadTitle(jobs, fleet?.hosts, forecast)),
    '',
    ...indent(histograms(outlook, terminal, style)),
    '',
    ...indent(comparison(outlook, style)),
    ...(fleet === undefined ? busiestText(outlook, style) : busiestSecondsText(fleet, style)),
    ...(capacity === undefined ? [] : capacityText(outlook, capacity, style)),
    ...pausesText(outlook, style),
  ]
}

function histograms({ forecast, capacity }: Outlook, terminal: Terminal, style: Style): string[] {
  const isAbove = (count: number): boolean => capacity !== undefined && count > capacity
  const kron = {
    title: 'with Kron',
    counts: forecast.spread,
    paint: (count: number, text: string) => (isAbove(count) ? style.bad(text) : style.good(text)),
  }
  const plain = {
    title: 'without windows',
    counts: forecast.plain,
    paint: (_: number, text: string) => style.faint(text),
  }
  return twoHistograms(forecast, [kron, plain], MOST_ROWS, terminal, style)
}

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
  return twoColumns(['with Kron', 'without windows'], rows, style)
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

function pausesText({ pauses }: Outlook, style: Style): string[] {
  if (pauses === undefined || pauses.all.length === 0) return []
  const cost = `${plural(pauses.lost, 'start')} will not happen because of pauses, and ${pauses.lost === 1 ? 'is' : 'are'} not counted above`
  return ['', ...pauses.all.map(pauseText), style.warn(cost)]
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
