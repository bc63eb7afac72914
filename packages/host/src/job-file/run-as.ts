import { ConfigurationError, type KronError } from '@kron/core'
import type { UserAccount } from '../account/accounts.ts'
import type { Entry } from './entry.ts'
import { entryPlace } from './fault.ts'
import type { Identity } from './launch.ts'

/** The host's users and groups, by name or number, as far as jobs need them. */
export interface Accounts {
  findUser(nameOrId: string): UserAccount | undefined
  findGroup(nameOrId: string): { readonly gid: number } | undefined
  groupsOf(user: UserAccount): readonly number[]
}

/** The users that jobs run as, resolved once when their files are loaded. */
export class RunAs {
  private readonly known = new Map<string, Identity | KronError>()
  private readonly accounts: Accounts
  private readonly root: boolean

  constructor(accounts: Accounts, root: boolean) {
    this.accounts = accounts
    this.root = root
  }

  /** The reason why the entry cannot run as its requested user. */
  check(entry: Entry): KronError | undefined {
    const found = this.resolve(entry)
    return found instanceof Error ? found : undefined
  }

  /** Undefined: the daemon's own user. */
  of(entry: Entry): Identity | undefined {
    const found = this.resolve(entry)
    if (found instanceof Error) throw found
    return found
  }

  private resolve(entry: Entry): Identity | KronError | undefined {
    const { user, group, groups } = entry.settings
    if (user === null && group === null && groups === null) return undefined
    const key = `${user ?? ''}:${group ?? ''}:${groups ?? '-'}`
    const found = this.known.get(key) ?? this.look(entry)
    this.known.set(key, found)
    return found
  }

  private look(entry: Entry): Identity | KronError {
    const { user, group, groups } = entry.settings
    const refuse = (message: string, hint: string): KronError =>
      new ConfigurationError(message, {
        component: 'configuration',
        operation: 'resolve user',
        identity: entry.identity,
        hint,
        place: entryPlace(entry),
      })
    if (!this.root) return refuse('user=, group= and groups= need root', 'remove them, or run as root')
    const account = this.accounts.findUser(user ?? '0')
    if (account === undefined) return refuse(`there is no user ${user}`, 'create the user, or name another')
    const gid = group === null ? account.gid : this.accounts.findGroup(group)?.gid
    if (gid === undefined) return refuse(`there is no group ${group}`, 'create the group, or name another')
    const gids: number[] = []
    for (const name of groups ?? []) {
      const found = this.accounts.findGroup(name)?.gid
      if (found === undefined) return refuse(`there is no group ${name}`, 'create the group, or name another')
      gids.push(found)
    }
    return { ...account, gid, groups: groups === null ? this.accounts.groupsOf({ ...account, gid }) : gids }
  }
}
