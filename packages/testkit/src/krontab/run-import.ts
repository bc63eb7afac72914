import { parseCommandLine } from '@kron/cli'
import type { Accounts } from '@kron/host'
import { run } from '../../../krontab/src/commands/import.ts'
import { KRONTAB } from '../../../krontab/src/program/program.ts'
import { type Ran, runRecorded } from './run-krontab.ts'

const HOMES: Readonly<Record<string, string>> = {
  root: '/root',
  'www-data': '/var/www',
  postgres: '/var/lib/postgresql',
  deploy: '/home/deploy',
  ada: '/home/ada',
}

/** The groups that each of them has besides the first one. */
const GROUPS: Readonly<Record<string, readonly number[]>> = { deploy: [998], 'www-data': [44] }

/** The same few users on every machine. */
const accounts: Accounts = {
  findUser(given) {
    const name = given === '1000' ? 'ada' : given
    const shell = name === 'www-data' ? '/usr/sbin/nologin' : '/bin/bash'
    return HOMES[name] === undefined ? undefined : { name, uid: 1, gid: 1, home: HOMES[name], shell }
  },
  findGroup: name => ({ name, gid: /^\d+$/.test(name) ? Number(name) : 1 }),
  groupsOf: ({ name, gid }) => [gid, ...(GROUPS[name] ?? [])],
}

/** Runs `krontab import` in a context that is the same on every machine. */
export async function importing(words: readonly string[], cwd: string): Promise<Ran> {
  const line = parseCommandLine(KRONTAB, ['import', ...words])
  if (line.kind !== 'run') throw new Error(`not a command line: ${words.join(' ')}`)
  return runRecorded(context => run(context, line.options as never, [], accounts), {
    env: { HOME: '/home/ada', XDG_CONFIG_HOME: '/home/ada/.config' },
    cwd,
    uid: 1000,
    gid: 1000,
    isGone: () => false,
    place: () => ({ host: 'here', machine: '00112233445566778899aabbccddeeff' }),
  })
}
