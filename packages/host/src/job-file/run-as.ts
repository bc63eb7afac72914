import { ConfigurationError, type KronError } from '@kron/core'
import type { Accounts } from '../account/accounts.ts'
import type { Entry } from './entry.ts'
import { entryPlace } from './fault.ts'
import type { RunAccount } from './launch.ts'

/** The users that jobs run as, resolved once when their files are loaded. */
export class RunAs {
  readonly #known = new Map<string, RunAccount | KronError>()
  readonly #accounts: Accounts
  readonly #root: boolean

  constructor(accounts: Accounts, root: boolean) {
    this.#accounts = accounts
    this.#root = root
  }

  /** The reason why the entry cannot run as its requested user. */
  check(entry: Entry): KronError | undefined {
    const found = this.#resolve(entry)
    return found instanceof Error ? found : undefined
  }

  /** Undefined: the daemon's own user. */
  of(entry: Entry): RunAccount | undefined {
    const found = this.#resolve(entry)
    if (found instanceof Error) throw found
    return found
  }

  #resolve(entry: Entry): RunAccount | KronError | undefined {
    const { user, group, groups } = entry.settings
    if (user === null && group === null && groups === null) return undefined
    const key = `${user ?? ''}:${group ?? ''}:${groups ?? '-'}`
    const found = this.#known.get(key) ?? this.#look(entry)
    this.#known.set(key, found)
    return found
  }

  #look(entry: Entry): RunAccount | KronError {
    const { user, group, groups } = entry.settings
    const refuse = (message: string, hint: string): KronError =>
      new ConfigurationError(message, {
        component: 'configuration',
        operation: 'resolve user',
        identity: entry.identity,
        hint,
        place: entryPlace(entry),
      })
    if (!this.#root) return refuse('user=, group= and groups= need root', 'remove them, or run as root')
    const account = this.#accounts.findUser(user ?? '0')
    if (account === undefined) return refuse(`there is no user ${user}`, 'create the user, or name another')
    const gid = group === null ? account.gid : this.#accounts.findGroup(group)?.gid
    if (gid === undefined) return refuse(`there is no group ${group}`, 'create the group, or name another')
    const gids: number[] = []
    for (const name of groups ?? []) {
      const found = this.#accounts.findGroup(name)?.gid
      if (found === undefined) return refuse(`there is no group ${name}`, 'create the group, or name another')
      gids.push(found)
    }
    return { ...account, gid, groups: groups === null ? this.#accounts.groupsOf({ ...account, gid }) : gids }
  }
}
