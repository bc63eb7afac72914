import { TABLE_END, TABLE_START, type ZoneTable } from '@kron/core'
import { changesIn, parseTzRule, type RuleChange, type TzRule } from './tz-rule.ts'
import { readTzif, type Tzif, TzifError } from './tzif.ts'

/** The table of a TZif file: its transitions, then its footer's rule to the end of the engine's time. */
export function zoneTableOf(bytes: Uint8Array, source: string): ZoneTable {
  const tzif = readTzif(bytes)
  const starts: number[] = [TABLE_START]
  const offsets: number[] = [tzif.initial]
  const add = ({ at, offset }: RuleChange): void => {
    if (at >= TABLE_END) return
    if (at <= starts.at(-1)!) {
      starts.pop()
      offsets.pop()
    }
    if (offset === offsets.at(-1)) return
    starts.push(Math.max(at, TABLE_START))
    offsets.push(offset)
  }
  for (const [i, at] of tzif.transitions.entries()) add({ at, offset: tzif.offsets[i]! })
  if (tzif.footer !== '') for (const change of changesAfter(tzif, parseTzRule(tzif.footer))) add(change)
  return { starts, offsets, source }
}

const YEAR = 31_556_952
const LAST_YEAR = 1970 + Math.ceil(TABLE_END / YEAR) + 1
const EARLIEST_YEAR = 1900

const yearOf = (at: number): number =>
  Math.min(Math.max(1970 + Math.floor(at / YEAR), EARLIEST_YEAR), LAST_YEAR)

/** The changes that a rule makes after the last transition. The rule must agree with that transition. */
function changesAfter({ transitions, offsets, initial }: Tzif, rule: TzRule): readonly RuleChange[] {
  const last = transitions.at(-1) ?? Number.NEGATIVE_INFINITY
  const offset = offsets.at(-1) ?? initial
  const all: RuleChange[] = []
  for (let year = yearOf(last) - 2; year <= LAST_YEAR; year++) all.push(...changesIn(year, rule))
  // A year's last change may lie after the next year's first.
  all.sort((a, b) => a.at - b.at || (a.offset === rule.standard ? -1 : 1))
  const begun = all.filter(({ at }) => at <= last)
  const agreed = begun.at(-1)?.offset ?? rule.standard
  if (transitions.length > 0 && agreed !== offset)
    throw new TzifError(`its footer gives the offset ${agreed}, its last transition ${offset}`)
  return all.slice(begun.length)
}
