import type { EntryRule } from './finding.ts'

/** A distribution has nothing to distribute over without a window. */
export const distWithoutWindow: EntryRule = (entry, source) => {
  if (entry.schedule.window.duration > 0 || !/[ \t]@dist\(/.test(source)) return undefined
  return {
    part: 'cron',
    message: '@dist has no effect without @win: the job starts at its nominal time',
    hint: 'add a window, for example @win(after,30m)',
  }
}
