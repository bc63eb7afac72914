import type { EntryRule } from './finding.ts'

/** Without a window, a distribution has no effect. */
export const distWithoutWindow: EntryRule = (entry, source) => {
  if (entry.schedule.window.duration > 0 || !/[ \t]@dist\(/.test(source)) return undefined
  return {
    part: 'cron',
    message: '@dist has no effect without @win: the job starts at its nominal time',
    hint: 'add a window, for example @win(after,30m)',
  }
}
