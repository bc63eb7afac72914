import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The content of /etc/passwd and /etc/group. */
export interface AccountFiles {
  readonly passwd: string
  readonly group: string
}

/**
 * Whether a group certainly has only one member, like the private groups that useradd makes. A group that the files do
 * not name, for example one of LDAP, is not known to be private.
 */
export function isPrivateGroup(gid: number, uid: number, { passwd, group }: AccountFiles): boolean {
  const users = rowsOf(passwd)
  const user = users.find(row => Number(row[2]) === uid)?.[0]
  const own = rowsOf(group).filter(row => Number(row[2]) === gid)
  if (user === undefined || own.length === 0) return false
  const members = own.flatMap(row => (row[3] ?? '').split(',').filter(name => name !== ''))
  const holders = users.filter(row => Number(row[3]) === gid).map(row => row[0])
  return [...members, ...holders].every(name => name === user)
}

const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter(line => line.includes(':') && !line.startsWith('#'))
    .map(line => line.split(':'))

export function readAccountFiles(): AccountFiles {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return ''
    }
  }
  return { passwd: read('/etc/passwd'), group: read('/etc/group') }
}

/** Whether a path certainly has no ACL. GNU ls shows it; another ls refuses the option, which proves nothing. */
export function hasNoAcl(path: string): boolean {
  const { status, stdout } = spawnSync('/bin/ls', ['-ldn', '--quoting-style=escape', '--', path], {
    encoding: 'utf8',
    env: { LC_ALL: 'C' },
  })
  return status === 0 && /^[-d][-rwxsStT]{9}[ .]/.test(stdout)
}
