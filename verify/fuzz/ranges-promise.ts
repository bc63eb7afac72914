import type { CalendarRanges, Range } from '@kron/core'
import { must } from './target.ts'

/** Core searches the ranges of a calendar by bisection, so they must be sorted and apart. */
export function mustBeRanges({ days, local, instants }: CalendarRanges): void {
  for (const ranges of [days, local, instants]) mustBeSorted(ranges)
  for (const [from, to] of [...local, ...instants])
    must(from % 60 === 0 && (to + 1) % 60 === 0, 'times are whole minutes')
}

function mustBeSorted(ranges: readonly Range[]): void {
  for (const [i, [from, to]] of ranges.entries()) {
    must(Number.isSafeInteger(from) && Number.isSafeInteger(to), 'ends are whole numbers')
    must(from <= to, 'a range runs forwards')
    if (i > 0) must(from > ranges[i - 1]![1], 'ranges are sorted and apart')
  }
}
