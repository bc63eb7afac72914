import type { Command } from '@kron/cli'
import { AUDIT, CONSOLE, NOTIFY, PAUSE, RESUME, TRIGGER } from './act.ts'
import { ADD, COMPLETION, EDIT, REMOVE, RUN } from './change.ts'
import { BALANCE, CALENDAR, EXPLAIN, FORECAST, HOST, LINT, LIST, NEXT } from './foresee.ts'
import { IMPORT } from './import.ts'
import { FORMAT } from './options.ts'
import { HISTORY, OUTPUT, STATUS, VERIFY } from './past.ts'

/** The whole command line of krontab. */
export const KRONTAB: Command = {
  name: 'krontab',
  summary: 'check, explain, preview, forecast and edit job files',
  details: [
    'Job files (*.kron) are looked for in /etc/krond.d for root, in $XDG_CONFIG_HOME/krond or ~/.config/krond for others.',
  ],
  options: FORMAT,
  commands: [
    LINT,
    EXPLAIN,
    NEXT,
    FORECAST,
    BALANCE,
    LIST,
    ADD,
    REMOVE,
    EDIT,
    IMPORT,
    RUN,
    HISTORY,
    OUTPUT,
    TRIGGER,
    PAUSE,
    RESUME,
    AUDIT,
    NOTIFY,
    CONSOLE,
    STATUS,
    VERIFY,
    HOST,
    CALENDAR,
    COMPLETION,
  ],
}
