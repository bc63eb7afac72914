import type { OffsetReader } from './offset.ts'

/** A stretch of time `[start, end)` in which a zone keeps one offset. */
export interface Segment {
  readonly start: number
  readonly end: number
  readonly offset: number
}

// The shortest segment of any zone between 1960 and 2208 lasts a week less an hour (Gaza 2040, Recife 2000).
const PROBE_STEP = 6 * 86400

/** The segments of `[from, until)`, found by probing and bisection to the second. */
export function learnSegments(offsetAt: OffsetReader, from: number, until: number): Segment[] {
  const segments: Segment[] = []
  let start = from
  let offset = offsetAt(from)
  for (let known = from; known < until - 1; ) {
    const probe = Math.min(known + PROBE_STEP, until - 1)
    if (offsetAt(probe) === offset) {
      known = probe
      continue
    }
    const change = firstChange(offsetAt, offset, known, probe)
    segments.push({ start, end: change, offset })
    start = change
    known = change
    offset = offsetAt(change)
  }
  segments.push({ start, end: until, offset })
  return segments
}

/** The first instant with another offset, given that `known` has `offset` and `changed` has not. */
function firstChange(offsetAt: OffsetReader, offset: number, known: number, changed: number): number {
  let before = known
  let after = changed
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle) === offset) before = middle
    else after = middle
  }
  return after
}
