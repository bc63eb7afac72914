import { parseCommandLine } from '@kron/cli'
import type { Accounts } from '@kron/host'
import { Curves } from '@kron/host'
import { run } from '../../../../krontab/src/commands/import.ts'
import { type Host, noCalendars } from '../../../../krontab/src/host.ts'
import { KRONTAB } from '../../../../krontab/src/program/program.ts'
import { PLAIN, type Ran } from '../host.ts'

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
  findGroup: name => ({ gid: /^\d+$/.test(name) ? Number(name) : 1 }),
  groupsOf: ({ name, gid }) => [gid, ...(GROUPS[name] ?? [])],
}

/** Runs `krontab import` with a host that is the same on every machine. */
export async function importing(words: readonly string[], cwd: string): Promise<Ran> {
  let out = ''
  let err = ''
  const host: Host = {
    env: { HOME: '/home/ada', XDG_CONFIG_HOME: '/home/ada/.config' },
    cwd,
    uid: 1000,
    gid: 1000,
    isGone: () => false,
    interactive: false,
    calendars: noCalendars(),
    curves: new Curves(),
    confFile: '/nonexistent/krond.conf',
    place: () => ({ host: 'here', machine: '00112233445566778899aabbccddeeff' }),
    terminal: PLAIN,
    ask: async () => '',
    now: () => 0,
    out: text => {
      out += text
    },
    data: text => {
      out += text
    },
    err: text => {
      err += text
    },
  }
  const line = parseCommandLine(KRONTAB, ['import', ...words])
  if (line.kind !== 'run') throw new Error(`not a command line: ${words.join(' ')}`)
  const code = await run(host, line.options as never, [], accounts)
  return { code, out, err }
}
