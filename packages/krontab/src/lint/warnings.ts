import type { ShowProgress } from '@kron/cli'
import type { Schedule } from '@kron/core'
import type { Entry } from '@kron/host'
import { type Finding, type Warning, type WarningRule, warningAt } from './finding.ts'
import { lineReader } from './line-reader.ts'
import { ENTRY_RULES, SCHEDULE_RULES } from './rules.ts'

type Named = Finding & { readonly rule: WarningRule }

/** The warnings about a file's entries, in its order. `at` decides which periods and which year are checked. */
export function warningsOf(
  entries: readonly Entry[],
  text: string,
  at: number,
  progress: ShowProgress = () => {},
): Warning[] {
  const known = new Map<Schedule, readonly Named[]>()
  const warnings: Warning[] = []
  const lines = lineReader(text)
  for (const [i, entry] of entries.entries()) {
    if (i % 1_024 === 0) progress(i, entries.length)
    const found = known.get(entry.schedule) ?? ofSchedule(entry.schedule, at)
    known.set(entry.schedule, found)
    const source = lines(entry.line)
    for (const finding of [...found, ...ofEntry(entry, source)])
      warnings.push(warningAt(entry, finding.rule, finding, source))
  }
  return warnings
}

const ofSchedule = (schedule: Schedule, at: number): Named[] =>
  named([...SCHEDULE_RULES].map(([rule, look]) => [rule, look(schedule, at)]))

const ofEntry = (entry: Entry, source: string): Named[] =>
  named([...ENTRY_RULES].map(([rule, look]) => [rule, look(entry, source)]))

const named = (found: readonly (readonly [WarningRule, Finding | undefined])[]): Named[] =>
  found.flatMap(([rule, finding]) => (finding === undefined ? [] : [{ rule, ...finding }]))
