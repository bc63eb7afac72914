/** The pause doubles from `first` to `most` ms, minus a random share of up to a half, so that replicas do not align. */
export function backoff(
  failures: number,
  first: number,
  most: number,
  random: () => number = Math.random,
): number {
  const full = Math.min(most, first * 2 ** Math.min(failures, 30))
  return Math.round(full * (0.5 + random() / 2))
}
