/** The median of a sample and an interval that holds the true median, whatever the distribution is. */
export interface MedianInterval {
  readonly median: number
  readonly lower: number
  readonly upper: number
}

/** The share of samples, on each side, whose interval may miss the true median: together 5 %. */
const TAIL = 0.025

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle]!
  const [below, above] = [sorted[middle - 1], sorted[middle]]
  return below === undefined || above === undefined
    ? Number.NaN
    : below === above
      ? below
      : (below + above) / 2
}

/**
 * The exact interval of the sign test, at 95 %: a value lies below the true median with probability one half, so the
 * number of such values is binomial. A start that never came may count as Infinity. Undefined for fewer than six values.
 */
export function medianInterval(values: readonly number[]): MedianInterval | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const count = sorted.length
  let cumulative = 0
  let probability = 0.5 ** count
  let rank = 0
  while (cumulative + probability <= TAIL) {
    cumulative += probability
    probability *= (count - rank) / (rank + 1)
    rank++
  }
  if (rank === 0) return undefined
  return { median: median(sorted), lower: sorted[rank - 1]!, upper: sorted[count - rank]! }
}
