import { spawnSync } from 'node:child_process'
import type { Accounts } from './run-as.ts'

/** One line of a system database by name or number; `getent` asks whatever the host is set up with. */
function look(database: 'passwd' | 'group', key: string): string[] | undefined {
  const { status, stdout } = spawnSync('getent', [database, key], { encoding: 'utf8' })
  return status === 0 ? stdout.split('\n', 1)[0]!.split(':') : undefined
}

export const hostAccounts: Accounts = {
  findUser: key => {
    const [name, , uid, gid, , home, shell] = look('passwd', key) ?? []
    if (name === undefined) return undefined
    return { name, uid: Number(uid), gid: Number(gid), home: home ?? '/', shell: shell || '/bin/sh' }
  },
  findGroup: key => {
    const [name, , gid] = look('group', key) ?? []
    return name === undefined ? undefined : { name, gid: Number(gid) }
  },
}
