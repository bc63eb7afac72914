import type { EntryRule } from './finding.ts'

/** A step in one day field and a restriction in the other: in Kron either may match, in Vixie cron both must. */
export const dayStep: EntryRule = (_entry, source) => {
  const [, , day = '*', , weekday = '*'] = source.trim().split(/[ \t]+/, 5)
  const stepped = (field: string): boolean => field.startsWith('*/')
  if (source.trim().startsWith('@') || day === '*' || weekday === '*') return undefined
  if (!stepped(day) && !stepped(weekday)) return undefined
  return {
    part: 'cron',
    message: `the days of "${day}" and those of "${weekday}" all match: a step restricts a day field like any other value`,
    hint: 'put * into one day field and use @only(dow=…) or @only(dom=…) for the other',
  }
}
