import { isRatio, type Page, type Target } from './notebook.ts'
import { storedPage } from './results.ts'
import { digits, printTable } from './table.ts'

/** By how much a median may worsen while the rounds of both runs still overlap, or where there was one round. */
const TOLERANCE = 1.25

export type Verdict = 'as before' | 'better' | 'WORSE'

/** Only ratios are compared: absolute times depend on the machine. */
export function verdict(before: Target, now: Target): Verdict {
  const gain = now.wanted === 'at least' ? now.value / before.value : before.value / now.value
  const disjoint = before.range !== undefined && now.range !== undefined && !overlap(before.range, now.range)
  const margin = disjoint ? 1.1 : TOLERANCE
  if (gain < 1 / margin) return 'WORSE'
  return gain > margin ? 'better' : 'as before'
}

const overlap = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  a[0] <= b[1] && b[0] <= a[1]

/** Prints every ratio beside the stored one, and tells which became worse, each with its axis. */
export function compareWithStored(pages: readonly Page[]): Map<string, string> {
  const rows: string[][] = []
  const worse = new Map<string, string>()
  for (const { axis, targets } of pages) {
    const stored = new Map(storedPage(axis)?.targets.map(each => [each.what, each]))
    for (const now of targets.filter(isRatio)) {
      const before = stored.get(now.what)
      if (before !== undefined && verdict(before, now) === 'WORSE') worse.set(`${axis}: ${now.what}`, axis)
      rows.push([
        `${axis}: ${now.what}`,
        before === undefined ? '' : `${digits(before.value)}${before.unit}`,
        `${digits(now.value)}${now.unit}`,
        before === undefined ? 'new' : verdict(before, now),
      ])
    }
  }
  console.log('\nRatios beside those in verify/bench/results')
  printTable(['', 'stored', 'now', ''], rows)
  return worse
}
