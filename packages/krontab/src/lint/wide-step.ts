import type { EntryRule } from './finding.ts'

/** The fields in their order, each with its number of values. */
const FIELDS: readonly (readonly [name: string, values: number])[] = [
  ['minutes', 60],
  ['hours', 24],
  ['days', 31],
  ['months', 12],
  ['weekdays', 7],
]

/** A step that is larger than its field: `*` with a step of 90 minutes means minute 0 of every hour. */
export const wideStep: EntryRule = (_entry, source) => {
  const fields = source.trim().split(/[ \t]+/, 5)
  if (fields[0]?.startsWith('@') === true) return undefined
  for (const [i, [name, values]] of FIELDS.entries()) {
    const step = Number(/^\*\/(\d+)$/.exec(fields[i] ?? '')?.[1] ?? 0)
    if (step < values) continue
    return {
      part: 'cron',
      message: `"${fields[i]}" is larger than the field: it matches the first of the ${name} alone, not every ${step} ${name}`,
      hint:
        name === 'minutes'
          ? 'for every 90 minutes write two lines: 0 */3 and 30 1-23/3'
          : `write the ${name} one by one`,
    }
  }
  return undefined
}
