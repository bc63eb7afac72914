import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface UserAccount {
  readonly name: string
  readonly uid: number
  /** The primary group. */
  readonly gid: number
  readonly home: string
  readonly shell: string
}

export interface GroupAccount {
  readonly name: string
  readonly gid: number
}

/** The host's users and groups, by name or else by number. */
export interface Accounts {
  findUser(nameOrId: string): UserAccount | undefined
  findGroup(nameOrId: string): GroupAccount | undefined
  /** All groups of the user, the primary one included, as login gives them. */
  groupsOf(user: UserAccount): readonly number[]
}

/** Reads a database: the lines of a file, or the output of a command. Undefined: not available. */
export interface AccountSources {
  readonly file: (path: string) => string | undefined
  readonly getent: (database: string, key: string) => string | undefined
}

const hostSources: AccountSources = {
  file: path => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return undefined
    }
  },
  getent: (database, key) => {
    const { status, stdout, error } = spawnSync('getent', [database, '--', key], {
      encoding: 'utf8',
      timeout: 10_000,
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
    })
    return error !== undefined || status === null || status > 2 ? undefined : stdout
  },
}

/**
 * The accounts that the host knows. Local files are used if the host uses nothing else, or if they come first and know
 * the name; getent(1) looks up everything else (LDAP, systemd). Each name is looked up once.
 */
export function hostAccounts(sources: AccountSources = hostSources): Accounts {
  const { file, getent } = sources
  const lines = remembering(path =>
    (file(path) ?? '')
      .split('\n')
      .flatMap(line => (line === '' || line.startsWith('#') ? [] : [line.split(':')])),
  )
  const services = remembering(database => servicesOf(file('/etc/nsswitch.conf') ?? '', database))

  const find = (database: 'passwd' | 'group', key: string): string[] | undefined => {
    const found = findLine(lines(`/etc/${database}`), key)
    const order = services(database)
    if (order.length === 0 || (found !== undefined && order[0] === 'files')) return found
    if (order.every(service => service === 'files')) return found
    const answer = getent(database, key)
    return answer === undefined
      ? found
      : findLine(
          answer.split('\n').map(line => line.split(':')),
          key,
        )
  }

  return {
    findUser: remembering(key => {
      const line = find('passwd', key)
      if (line === undefined) return undefined
      const [name = '', , uid, gid, , home, shell] = line
      return { name, uid: Number(uid), gid: Number(gid), home: home || '/', shell: shell || '/bin/sh' }
    }),
    findGroup: remembering(key => {
      const line = find('group', key)
      return line === undefined ? undefined : { name: line[0] ?? '', gid: Number(line[2]) }
    }),
    groupsOf: user => {
      const order = [...services('initgroups'), ...services('group')]
      const answer = order.every(service => service === 'files') ? undefined : getent('initgroups', user.name)
      const gids =
        answer === undefined
          ? lines('/etc/group').flatMap(([, , gid, members]) =>
              members?.split(',').includes(user.name) ? [Number(gid)] : [],
            )
          : answer.trim().split(/\s+/).slice(1).map(Number)
      return [...new Set([user.gid, ...gids])].filter(Number.isInteger)
    },
  }
}

/** The services of a database in nsswitch.conf, without actions such as [NOTFOUND=return]. */
function servicesOf(text: string, database: string): string[] {
  const line = new RegExp(`^\\s*${database}:(.*)$`, 'm').exec(text)?.[1] ?? ''
  return line
    .replace(/#.*/, '')
    .replace(/\[[^\]]*\]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .map(service => (service === 'compat' ? 'files' : service))
}

/** By name, else by number. */
function findLine(lines: readonly string[][], key: string): string[] | undefined {
  if (key === '') return undefined
  const byName = lines.find(([name]) => name === key)
  if (byName !== undefined || !/^\d+$/.test(key)) return byName
  return lines.find(([, , id]) => id !== undefined && /^\d+$/.test(id) && Number(id) === Number(key))
}

function remembering<T>(find: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return key => {
    if (!known.has(key)) known.set(key, find(key))
    return known.get(key)!
  }
}

/** The uids that Debian gives to people; system users have smaller ones. */
const [FIRST_PERSON, LAST_PERSON] = [1_000, 59_999]

/** The people of the local account file, for whom the system's daemon runs job files. */
export function hostUsers(file: AccountSources['file'] = hostSources.file): readonly UserAccount[] {
  return (file('/etc/passwd') ?? '').split('\n').flatMap(line => {
    const [name = '', , uid = '', gid = '', , home = '', shell = ''] = line.split(':')
    const isPerson = /^\d+$/.test(uid) && Number(uid) >= FIRST_PERSON && Number(uid) <= LAST_PERSON
    return isPerson && home.startsWith('/') && home !== '/'
      ? [{ name, uid: Number(uid), gid: Number(gid), home, shell }]
      : []
  })
}
