import { DEFAULT_SPOOL, hostAccounts, readConf } from '@kron/host'
import { type CommandContext, processContext } from '../context/command-context.ts'
import { socketsOf } from '../daemon/ask.ts'
import { crontab, FAILED } from './main.ts'
import { daemonTables, spoolTables } from './tables.ts'

/** crontab(1) on this host: root changes the first spool that krond reads; other users ask krond to change theirs. */
export function crontabProgram(words: readonly string[]): Promise<number> {
  const context = processContext(FAILED)
  return crontab(words, context, { accounts: hostAccounts(), tables: tablesOf(context) })
}

function tablesOf(context: CommandContext) {
  const { env } = context
  if (context.uid !== 0) {
    const places = { 'state-dir': env['KROND_STATE_DIR'], 'runtime-dir': env['KROND_RUNTIME_DIR'] }
    // The system's krond comes before one of the user's own.
    return daemonTables([...socketsOf(context, places)].reverse())
  }
  const named = env['KROND_USER_CRONTABS'] || readConf(context.confFile)['user-crontabs'] || DEFAULT_SPOOL
  return spoolTables(named.split(':')[0]!)
}
