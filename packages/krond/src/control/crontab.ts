import { join, resolve } from 'node:path'
import { isKronError, UTC } from '@kron/core'
import {
  type Accounts,
  type ControlAnswer,
  CrontabSpool,
  hostAccounts,
  mayUseCrontab,
  parseCrontab,
} from '@kron/host'
import type { CrontabCommand } from './control.ts'

export interface CrontabDeskOptions {
  readonly accounts?: Pick<Accounts, 'findUser'>
  /** Where cron.allow and cron.deny lie. */
  readonly rulesDirectory?: string
}

/** Reads or changes the crontab of the user who asks, and no other: the uid comes from the kernel. */
export function answerCrontab(
  command: Partial<CrontabCommand>,
  uid: number,
  directory: string | undefined,
  { accounts = hostAccounts(), rulesDirectory }: CrontabDeskOptions = {},
): ControlAnswer<unknown> {
  if (directory === undefined)
    return { error: 'this krond reads no crontabs of users', hint: 'set user-crontabs in krond.conf' }
  const account = accounts.findUser(String(uid))
  if (account === undefined || account.uid !== uid) return { error: `user ${uid} has no account` }
  if (!mayUseCrontab(account, rulesDirectory))
    return {
      error: `${account.name} may not use crontab`,
      hint: 'ask the administrator: see /etc/cron.allow and /etc/cron.deny',
    }
  const spool = new CrontabSpool(directory)
  try {
    switch (command.action) {
      case 'list':
        return {
          ok: { text: spool.read(account.name) ?? null, path: join(resolve(directory), account.name) },
        }
      case 'remove':
        return { ok: { removed: spool.remove(account.name) } }
      case 'install': {
        const { text } = command as { text?: unknown }
        if (typeof text !== 'string' || text.includes('\0')) return { error: 'the crontab is not a text' }
        const options = { owner: account.name, zone: UTC, windowNs: 0, uid: 0, listScripts: undefined }
        const { faults } = parseCrontab(text, '/crontab', { ...options, findUser: () => account })
        const [first] = faults
        if (first !== undefined)
          return {
            error: `line ${first.line}: ${first.message}`,
            hint: 'crontab -T FILE shows every mistake',
          }
        spool.install(account, text)
        return { ok: {} }
      }
      default:
        return { error: 'unknown action', hint: 'actions are: list, install, remove' }
    }
  } catch (error) {
    if (isKronError(error)) return { error: error.message }
    return { error: `cannot change the crontab: ${(error as NodeJS.ErrnoException).code ?? 'it failed'}` }
  }
}
