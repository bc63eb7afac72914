import type { Command } from '@kron/cli'
import type { Run } from './context/run.ts'
import {
  AUDIT,
  CONSOLE,
  NOTIFY,
  PAUSE,
  PRUNE,
  RESET,
  RESUME,
  TOKEN,
  TRIGGER,
} from './program/daemon-commands.ts'
import { ADD, COMPLETION, EDIT, REMOVE, RUN } from './program/edit-commands.ts'
import { HISTORY, OUTPUT, STATUS, VERIFY } from './program/history-commands.ts'
import { IMPORT } from './program/import-command.ts'
import { BALANCE, CALENDAR, EXPLAIN, FORECAST, HOST, LINT, LIST, NEXT } from './program/preview-commands.ts'

interface LoadableCommand {
  readonly command: Command
  readonly load: () => Promise<{ readonly run: Run<never> }>
  /**
   * `ownCrontab`: it is about jobs that run, and an ordinary user may have such jobs in a crontab. `calendars`: it may
   * read calendars of any directory.
   */
  readonly needs?: 'ownCrontab' | 'calendars'
}

/** Each command is loaded only when it is called, so that the others cost nothing. */
export const COMMANDS: readonly LoadableCommand[] = [
  { command: LINT, load: () => import('./commands/lint.ts') },
  { command: EXPLAIN, load: () => import('./commands/explain.ts'), needs: 'ownCrontab' },
  { command: NEXT, load: () => import('./commands/next.ts'), needs: 'ownCrontab' },
  { command: FORECAST, load: () => import('./commands/forecast.ts'), needs: 'ownCrontab' },
  { command: BALANCE, load: () => import('./commands/balance.ts') },
  { command: LIST, load: () => import('./commands/list.ts'), needs: 'ownCrontab' },
  { command: ADD, load: () => import('./commands/add.ts') },
  { command: REMOVE, load: () => import('./commands/remove.ts') },
  { command: EDIT, load: () => import('./commands/edit.ts') },
  { command: IMPORT, load: () => import('./commands/import.ts') },
  { command: RUN, load: () => import('./commands/run.ts') },
  { command: HISTORY, load: () => import('./commands/history.ts') },
  { command: OUTPUT, load: () => import('./commands/output.ts') },
  { command: TRIGGER, load: () => import('./commands/trigger.ts') },
  { command: PAUSE, load: () => import('./commands/pause.ts') },
  { command: RESUME, load: () => import('./commands/resume.ts') },
  { command: RESET, load: () => import('./commands/reset.ts') },
  { command: AUDIT, load: () => import('./commands/audit.ts') },
  { command: NOTIFY, load: () => import('./commands/notify.ts') },
  { command: CONSOLE, load: () => import('./commands/console.ts') },
  { command: TOKEN, load: () => import('./commands/token.ts') },
  { command: STATUS, load: () => import('./commands/status.ts') },
  { command: PRUNE, load: () => import('./commands/prune.ts') },
  { command: VERIFY, load: () => import('./commands/verify.ts'), needs: 'calendars' },
  { command: HOST, load: () => import('./commands/host.ts') },
  { command: CALENDAR, load: () => import('./commands/calendar.ts'), needs: 'calendars' },
  { command: COMPLETION, load: () => import('./commands/completion.ts') },
]
