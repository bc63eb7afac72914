import type { Life } from './life.ts'

/** The first line in which two lives of a job differ. */
export interface Difference {
  readonly identity: string
  readonly old: string | undefined
  readonly now: string | undefined
  /** An ADR says why. */
  readonly explained: boolean
}

export function firstDifference(old: Life, now: Life): Difference | undefined {
  let first: Difference | undefined
  for (const identity of new Set([...old.lines.keys(), ...now.lines.keys()])) {
    // The order inside one millisecond is not compared.
    const [a, b] = [old, now].map(life => (life.lines.get(identity) ?? []).toSorted()) as [string[], string[]]
    const at = a.findIndex((line, index) => line !== b[index])
    const index = at >= 0 ? at : a.length
    if (at < 0 && a.length === b.length) continue
    const found = { identity, old: a[index], now: b[index], explained: false }
    if (first === undefined || timeOf(found) < timeOf(first)) first = found
  }
  return first
}

const timeOf = ({ old, now }: Difference): string =>
  [old, now]
    .filter(each => each !== undefined)
    .sort()[0]!
    .slice(0, 24)
