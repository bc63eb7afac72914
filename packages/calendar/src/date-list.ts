import {
  type CalendarRanges,
  type Fault,
  faulty,
  NO_RANGES,
  type Parsed,
  parseClause,
  parsed,
  quote,
  type Range,
  unionOfRanges,
} from '@kron/core'

const MOST_FAULTS = 20

/** Lines such as `2026-12-25` or `2026-12-24..2026-12-31`; `#` starts a comment. */
export function parseDateList(text: string): Parsed<CalendarRanges> {
  const days: Range[] = []
  const faults: Fault[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const date = line.replace(/#.*/, '').trim()
    if (date === '') continue
    const clause = parseClause(`${date.includes('..') ? 'dates' : 'date'}=${date}`)
    if (clause.ok && clause.value.kind === 'dates') days.push(clause.value.range)
    else if (faults.length < MOST_FAULTS) faults.push(malformed(index + 1, date))
  }
  return faults.length > 0 ? faulty(faults) : parsed({ ...NO_RANGES, days: unionOfRanges(days) })
}

const malformed = (line: number, text: string): Fault => ({
  category: 'ConfigurationError',
  message: `line ${line}: ${quote(text.slice(0, 80))} is not a date or a range of dates`,
  hint: 'write 2026-12-25 or 2026-12-24..2026-12-31',
  at: 0,
  length: 0,
})
