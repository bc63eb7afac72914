import type { Life } from './life.ts'

/** The first line in which two lives of a job differ. */
export interface Difference {
  readonly identity: string
  readonly old: string | undefined
  readonly now: string | undefined
  /** The reason that docs/adr names, if there is one. */
  readonly reason: Reason | undefined
}

export type Reason =
  /** A period that waits for a place is missed at its deadline, not when the next place is free. */
  | 'queue'
  /** Several replacements that wait for a run which cannot be killed are postponed together, not one by one. */
  | 'survivor'
  /** A replacement that a jump of the clock makes too late is missed with reason `replace`, without a retry before. */
  | 'replace'

export function firstDifference(old: Life, now: Life): Difference | undefined {
  let first: Difference | undefined
  for (const identity of new Set([...old.lines.keys(), ...now.lines.keys()])) {
    // The order inside one millisecond is not compared.
    const [a, b] = [old, now].map(life => (life.lines.get(identity) ?? []).toSorted()) as [string[], string[]]
    const at = a.findIndex((line, index) => line !== b[index])
    const index = at >= 0 ? at : a.length
    if (at < 0 && a.length === b.length) continue
    const reason = reasonOf([a[index], b[index]], b.slice(Math.max(0, index - SHORTLY), index))
    const found = { identity, old: a[index], now: b[index], reason }
    if (first === undefined || timeOf(found) < timeOf(first)) first = found
  }
  return first
}

/** The number of lines before a difference that are searched for its reason. */
const SHORTLY = 40

function reasonOf(lines: readonly (string | undefined)[], before: readonly string[]): Reason | undefined {
  for (const reason of ['queue', 'replace'] as const)
    if (lines.some(line => line?.includes(`"reason":"${reason}"`))) return reason
  return before.some(line => line.includes('is still there after SIGKILL')) ? 'survivor' : undefined
}

const timeOf = ({ old, now }: Difference): string =>
  [old, now]
    .filter(each => each !== undefined)
    .sort()[0]!
    .slice(0, 16)
