import { existsSync } from 'node:fs'
import { parseDuration, UTC } from '@kron/core'
import { askDaemon, type Entry, hostAccounts, hostZones, parseCrontab, readConf } from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { socketsOf } from '../daemon/ask.ts'

interface OwnCrontab {
  readonly path: string
  readonly text: string | null
}

/**
 * The jobs of the user's own crontab, as the system's krond runs them. An ordinary user cannot read the spool, so the
 * daemon is asked; the kernel tells it who asks. Empty if there is no such daemon or crontab.
 */
export async function ownCrontabEntries(context: CommandContext): Promise<readonly Entry[]> {
  const sockets = socketsOf(context, { 'state-dir': undefined, 'runtime-dir': undefined }).filter(existsSync)
  if (context.uid === 0 || sockets.length === 0) return []
  const isAnswer = (answer: object): boolean => 'ok' in answer
  const answer = await askDaemon<OwnCrontab>(
    sockets,
    { request: 'crontab', action: 'list' },
    undefined,
    isAnswer,
  )
  if (answer === undefined || answer === 'silent' || !('ok' in answer) || answer.ok.text === null) return []
  const account = hostAccounts().findUser(String(context.uid))
  if (account === undefined) return []
  const window = parseDuration(readConf(context.confFile)['crontab-window'] ?? '0s')
  return parseCrontab(answer.ok.text, answer.ok.path, {
    owner: account.name,
    zone: hostZones().find(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? UTC,
    windowNs: window.ok ? window.value : 0,
    // The system's daemon runs as root.
    uid: 0,
    findUser: () => account,
    listScripts: undefined,
  }).entries
}
