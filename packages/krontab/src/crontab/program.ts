import { DEFAULT_SPOOL, hostAccounts, readConf } from '@kron/host'
import { socketsOf } from '../daemon.ts'
import type { Host } from '../host.ts'
import { crontab } from './main.ts'
import { daemonTables, spoolTables } from './tables.ts'

/** crontab(1) on this host: root changes the first spool that krond reads; other users ask krond to change theirs. */
export function crontabProgram(words: readonly string[], host: Host): Promise<number> {
  return crontab(words, host, { accounts: hostAccounts(), tables: tablesOf(host) })
}

function tablesOf(host: Host) {
  const { env } = host
  if (host.uid !== 0) {
    const places = { 'state-dir': env['KROND_STATE_DIR'], 'runtime-dir': env['KROND_RUNTIME_DIR'] }
    // The system's krond comes before one of the user's own.
    return daemonTables([...socketsOf(host, places)].reverse())
  }
  const named = env['KROND_USER_CRONTABS'] || readConf(host.confFile)['user-crontabs'] || DEFAULT_SPOOL
  return spoolTables(named.split(':')[0]!)
}
