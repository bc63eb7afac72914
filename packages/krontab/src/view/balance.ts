import { grouped, indent, plural, type Style, styleOf, type Terminal, table } from '@kron/cli'
import {
  type Balance,
  leastPeak,
  loadOf,
  loadRecordOf,
  printDuration,
  printInstant,
  SECOND,
} from '@kron/core'
import type { SaltChange } from '../fleet/balance-files.ts'
import { loadTitle, twoColumns, twoHistograms } from './histogram.ts'

/** A balance with its inputs. */
export interface BalanceReport {
  readonly balance: Balance
  readonly changes: readonly SaltChange[]
  readonly jobs: number
  readonly hosts: number
  readonly capacity: number | undefined
  readonly written: boolean
}

const MOST_ROWS = 28
const MOST_CHANGES = 20

export function balanceText(report: BalanceReport, terminal: Terminal): string[] {
  const { balance, jobs, hosts } = report
  const style = styleOf(terminal)
  return [
    style.strong(loadTitle(jobs, hosts === 1 ? undefined : hosts, balance.span)),
    '',
    ...indent(histograms(balance, terminal, style)),
    '',
    ...indent(figures(report, style)),
    '',
    ...verdict(report, style),
  ]
}

function histograms({ span, before, after }: Balance, terminal: Terminal, style: Style): string[] {
  const now = { title: 'now', counts: before, paint: (_: number, text: string) => style.faint(text) }
  const balanced = { title: 'balanced', counts: after, paint: (_: number, text: string) => style.good(text) }
  return twoHistograms(span, [now, balanced], MOST_ROWS, terminal, style)
}

function figures({ balance, capacity }: BalanceReport, style: Style): string[] {
  const [before, after] = [loadOf(balance.before), loadOf(balance.after)]
  const above = (counts: Uint32Array): string =>
    grouped(counts.filter(count => count > (capacity ?? 0)).length)
  const rows = [
    ['starts', grouped(before.total), grouped(after.total)],
    ['peak', grouped(before.peak), grouped(after.peak)],
    ['mean', before.mean.toFixed(2), after.mean.toFixed(2)],
    ['peak/mean', before.ratio.toFixed(2), after.ratio.toFixed(2)],
    ...(capacity === undefined
      ? []
      : [[`buckets above ${grouped(capacity)}`, above(balance.before), above(balance.after)]]),
  ]
  return twoColumns(['now', 'balanced'], rows, style)
}

function verdict({ balance, changes, written }: BalanceReport, style: Style): string[] {
  const { peak } = loadOf(balance.after)
  const bound = `With as many starts, no choice of salts has a peak below ${grouped(leastPeak(balance))}; ${plural(balance.candidates, 'salt')} were tried for each job.`
  if (changes.length === 0) return [style.good(`Nothing to change: the peak is ${grouped(peak)}.`), bound]
  const shown = changes
    .slice(0, MOST_CHANGES)
    .map(({ entry, from, to }) => [entry.name, from === '' ? '(none)' : from, to])
  const more = changes.length > MOST_CHANGES ? [style.faint(`and ${changes.length - MOST_CHANGES} more`)] : []
  return [
    bound,
    '',
    written
      ? style.good(`${plural(changes.length, 'salt')} written; krond reload takes them up`)
      : `${plural(changes.length, 'salt')} to change; --write puts them into the files`,
    ...indent([
      ...table(
        [{ title: 'job' }, { title: 'salt now' }, { title: 'balanced' }],
        shown,
        undefined,
        style.faint,
      ),
      ...more,
    ]),
  ]
}

/** The balance as JSON; fields that are undefined are left out. */
export function balanceDocument({ balance, changes, jobs, hosts, capacity, written }: BalanceReport) {
  const { from, to, bucket } = balance.span
  const load = (counts: Uint32Array) => ({
    ...loadRecordOf(counts, from, bucket),
    aboveCapacity: capacity === undefined ? undefined : counts.filter(count => count > capacity).length,
  })
  return {
    from: printInstant(from),
    to: printInstant(to),
    bucket: printDuration(bucket * SECOND),
    jobs,
    hosts,
    before: load(balance.before),
    after: load(balance.after),
    leastPeak: leastPeak(balance),
    candidates: balance.candidates,
    capacity,
    changes: changes.map(({ entry, from: now, to: salt }) => ({
      job: entry.name,
      file: entry.path,
      line: entry.line,
      from: now,
      to: salt,
    })),
    written,
  }
}
