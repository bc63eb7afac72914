import { SystemError } from '@kron/core'
import { errnoName, koffi, native } from './native/native.ts'
import { requireNative } from './native/require-native.ts'

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
}

type Pointer = bigint | null

const getpwnam = native<[name: string], Pointer>('void *getpwnam(const char *name)')
const getpwuid = native<[uid: number], Pointer>('void *getpwuid(unsigned int uid)')
const getgrnam = native<[name: string], Pointer>('void *getgrnam(const char *name)')
const getgrgid = native<[gid: number], Pointer>('void *getgrgid(unsigned int gid)')

// "Not found", in the words of one C library or the other.
const ABSENT = new Set(['ENOENT', 'ESRCH', 'EBADF', 'EPERM'])

/** What the C library knows, so whatever the host is set up with: files, LDAP, systemd. Each is asked for once. */
export function hostAccounts(): Accounts {
  requireNative('look up users')
  const text = 'const char *'
  const passwd = koffi().struct({
    name: text,
    password: text,
    uid: 'uint32',
    gid: 'uint32',
    gecos: text,
    home: text,
    shell: text,
  })
  const group = koffi().struct({ name: text, password: text, gid: 'uint32' })
  return {
    findUser: remembering(key => {
      const found = look(key, getpwnam, getpwuid)
      if (found === undefined) return undefined
      const { name, uid, gid, home, shell } = koffi().decode(found, passwd)
      return { name, uid, gid, home: home || '/', shell: shell || '/bin/sh' }
    }),
    findGroup: remembering(key => {
      const found = look(key, getgrnam, getgrgid)
      if (found === undefined) return undefined
      const { name, gid } = koffi().decode(found, group)
      return { name, gid }
    }),
  }
}

function remembering<T>(find: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return key => {
    if (!known.has(key)) known.set(key, find(key))
    return known.get(key)!
  }
}

function look(
  key: string,
  byName: (name: string) => Pointer,
  byId: (id: number) => Pointer,
): bigint | undefined {
  return ask(key, () => byName(key)) ?? (isId(key) ? ask(key, () => byId(Number(key))) : undefined)
}

const isId = (key: string): boolean => /^\d+$/.test(key) && Number(key) < 0xffffffff

function ask(key: string, find: () => Pointer): bigint | undefined {
  koffi().errno(0)
  const found = find()
  if (found !== null) return found
  const errno = koffi().errno()
  if (errno === 0 || ABSENT.has(errnoName(errno))) return undefined
  throw new SystemError(`cannot look up ${key}: ${errnoName(errno)}`, {
    component: 'accounts',
    operation: 'look up',
  })
}
