import { askDaemon, type ControlCommand, CrontabSpool, mayUseCrontab, type UserAccount } from '@kron/host'
import { badInput } from '../context/refusal.ts'

/** The crontabs that this user may read and change. */
export interface CrontabTables {
  /** Undefined if there is none. */
  read(account: UserAccount): Promise<string | undefined>
  install(account: UserAccount, text: string): Promise<void>
  /** False if there was none. */
  remove(account: UserAccount): Promise<boolean>
}

/** For users who may write to the spool: root, or the user of a krond that does not run as root. */
export function spoolTables(directory: string): CrontabTables {
  const spool = new CrontabSpool(directory)
  const checked = (account: UserAccount): UserAccount => {
    if (mayUseCrontab(account)) return account
    throw badInput(
      `${account.name} may not use crontab`,
      'ask the administrator: see /etc/cron.allow and /etc/cron.deny',
    )
  }
  return {
    read: async account => spool.read(checked(account).name),
    install: async (account, text) => spool.install(checked(account), text),
    remove: async account => spool.remove(checked(account).name),
  }
}

/** For all other users: krond identifies the caller by the socket and keeps the caller's own crontab. */
export function daemonTables(sockets: readonly string[]): CrontabTables {
  const ask = async <T>(command: ControlCommand): Promise<T> => {
    const answer = await askDaemon<T>(sockets, command)
    if (answer === undefined || answer === 'silent')
      throw badInput('krond does not answer', 'ask the administrator whether krond runs')
    if ('ok' in answer) return answer.ok
    throw badInput(answer.error, answer.hint)
  }
  return {
    read: async () =>
      (await ask<{ text: string | null }>({ request: 'crontab', action: 'list' })).text ?? undefined,
    install: async (_, text) => {
      const command = { request: 'crontab', action: 'install', text } as const
      if (Buffer.byteLength(JSON.stringify(command)) >= LONGEST_REQUEST)
        throw badInput('the crontab is longer than 64 KiB', 'put long commands into scripts')
      await ask(command)
    },
    remove: async () => (await ask<{ removed: boolean }>({ request: 'crontab', action: 'remove' })).removed,
  }
}

const LONGEST_REQUEST = 64 * 1024
