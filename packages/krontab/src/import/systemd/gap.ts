import { next, parseCron, UTC } from '@kron/core'

/** 2024-01-01T00:00:00Z: because of its leap day, the years from here on contain every possible gap. */
const START = 1_704_067_200
const MOST = 2_000

/** The longest time in seconds between two occurrences of a cron expression. */
export function longestGap(cron: string): number {
  const read = parseCron(cron, 'kron')
  if (!read.ok) return 0
  let longest = 0
  let before = next(read.value, UTC, START)
  for (let i = 0; i < MOST && before !== undefined; i++) {
    const after = next(read.value, UTC, before)
    if (after !== undefined) longest = Math.max(longest, after - before)
    before = after
  }
  return longest
}
