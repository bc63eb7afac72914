const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:us|usec|µs|μs)$/, 1e-6],
  [/^(?:ms|msec)$/, 1e-3],
  [/^(?:s|sec|second|seconds|)$/, 1],
  [/^(?:m|min|minute|minutes)$/, 60],
  [/^(?:h|hr|hour|hours)$/, 3_600],
  [/^(?:d|day|days)$/, 86_400],
  [/^(?:w|week|weeks)$/, 604_800],
  [/^(?:M|month|months)$/, 2_629_800],
  [/^(?:y|year|years)$/, 31_557_600],
]

/** Seconds of a systemd time span (`1h 30min`, `90`, `infinity`); undefined if the text is none. */
export function readTimeSpan(text: string): number | undefined {
  if (text === 'infinity') return Number.POSITIVE_INFINITY
  const parts = [...text.matchAll(/\s*(\d+(?:\.\d+)?)\s*([A-Za-zµμ]*)/gy)]
  if (parts.length === 0 || parts.reduce((sum, part) => sum + part[0].length, 0) !== text.trimEnd().length)
    return undefined
  let seconds = 0
  for (const [, digits, unit] of parts) {
    const size = UNITS.find(([pattern]) => pattern.test(unit!))?.[1]
    if (size === undefined) return undefined
    seconds += Number(digits) * size
  }
  return seconds
}
