/** The zoom levels: how much time is on show. */
export const SPANS = [
  { name: '1h', seconds: 3_600 },
  { name: '3h', seconds: 10_800 },
  { name: '6h', seconds: 21_600 },
  { name: '12h', seconds: 43_200 },
  { name: '1d', seconds: 86_400 },
  { name: '3d', seconds: 259_200 },
  { name: '7d', seconds: 604_800 },
] as const

const USUAL = 3

export const spanIndex = (name: string | undefined): number => {
  const index = SPANS.findIndex(each => each.name === name)
  return index < 0 ? USUAL : index
}

/** Following now, a third of the past stays on show. */
const PAST = 0.3

export function rangeOf(index: number, now: number, at: number | undefined): { from: number; to: number } {
  const { seconds } = SPANS[index]!
  const from = at === undefined ? now - Math.round(seconds * PAST) : at
  return { from, to: from + seconds }
}
