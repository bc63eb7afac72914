import { plural } from '@kron/cli'
import { type Decision, fallbackOfDecision, type WeightsFallback } from '@kron/core'

/** Why a window is spread evenly in spite of its weights. */
export const FALLBACK_REASONS: Readonly<Record<WeightsFallback, string>> = {
  missing: 'the weights file is missing',
  unreadable: 'the weights file cannot be used',
  stale: 'the weights do not cover the window',
  empty: 'all weights in the window are 0',
}

/** One warning for each reason for which some windows spread evenly; a file that cannot be used at all is told when it is read. */
export function fallbackWarnings(decisions: readonly Decision[]): string[] {
  const counts = new Map<WeightsFallback, number>()
  for (const decision of decisions) {
    const fallback = fallbackOfDecision(decision)
    if (fallback === 'stale' || fallback === 'empty') counts.set(fallback, (counts.get(fallback) ?? 0) + 1)
  }
  return [...counts].map(
    ([fallback, count]) =>
      `warning: ${plural(count, 'period')} spread evenly: ${FALLBACK_REASONS[fallback]}\n`,
  )
}
