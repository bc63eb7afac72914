import { backoff } from '@kron/runtime'

/** The pause after so many failures, minus a random share of up to a half, so that replicas do not align. */
export function jitteredBackoff(
  failures: number,
  first: number,
  longest: number,
  random: () => number = Math.random,
): number {
  return Math.round(backoff(failures, first, longest) * (0.5 + random() / 2))
}
