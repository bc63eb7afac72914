/** The zoom levels: how much time is on show. */
export const SPANS = [
  { name: '15m', seconds: 900 },
  { name: '1h', seconds: 3_600 },
  { name: '3h', seconds: 10_800 },
  { name: '6h', seconds: 21_600 },
  { name: '12h', seconds: 43_200 },
  { name: '1d', seconds: 86_400 },
  { name: '3d', seconds: 259_200 },
  { name: '7d', seconds: 604_800 },
] as const

/** Following now, this share of the time on show is past. */
const PAST = 0.5
/** The widest span that is chosen without being asked for. */
const WIDEST = 5

/** The span that was asked for; on a first visit the narrowest one that shows all history, up to a day. */
export function spanIndex(name: string | undefined, historySeconds: number): number {
  const index = SPANS.findIndex(each => each.name === name)
  if (index >= 0) return index
  const fitting = SPANS.findIndex(each => each.seconds * PAST >= historySeconds)
  return fitting < 0 ? WIDEST : Math.min(fitting, WIDEST)
}

export function rangeOf(index: number, now: number, at: number | undefined): { from: number; to: number } {
  const { seconds } = SPANS[index]!
  const from = at === undefined ? now - Math.round(seconds * PAST) : at
  return { from, to: from + seconds }
}
