import { type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { argvOf, type Entry, hostAccounts, type Output } from '@kron/host'
import { type Warning, type WarningRule, warningAt } from './finding.ts'
import { lineReader } from './line-reader.ts'

const SYSLOG = '/dev/log'

/** Checks of a job against this host; `undefined` if all is well. Only for files that krond reads here. */
const HOST_RULES: ReadonlyMap<WarningRule, HostRule> = new Map<WarningRule, HostRule>([
  ['missing-program', missingProgram],
  ['missing-directory', missingDirectory],
  ['missing-log-directory', missingLogDirectory],
  ['missing-user', missingUser],
  ['no-syslog', noSyslog],
])

type HostRule = (entry: Entry, accounts: Accounts) => Complaint | undefined

type Accounts = Pick<ReturnType<typeof hostAccounts>, 'findUser' | 'findGroup'>
type Complaint = readonly [message: string, hint: string]

/** Warnings about programs, directories and users that a job needs and this host does not have. */
export function hostWarnings(entries: readonly Entry[], text: string): Warning[] {
  const lines = lineReader(text)
  const accounts = hostAccounts()
  return entries.flatMap(entry =>
    [...HOST_RULES].flatMap(([rule, check]) => {
      const complaint = check(entry, accounts)
      if (complaint === undefined) return []
      const [message, hint] = complaint
      return [warningAt(entry, rule, { part: 'command', message, hint }, lines(entry.line))]
    }),
  )
}

function missingProgram(entry: Entry): Complaint | undefined {
  const [program = ''] = entry.shell ? [] : argvOf(entry)
  if (!program.startsWith('/')) return undefined
  const file = found(program)
  if (file === 'absent') return [`${program} does not exist`, 'install it, or correct the path']
  if (file === undefined) return undefined
  if (file.isDirectory()) return [`${program} is a directory`, 'name a program']
  return (file.mode & 0o111) === 0 ? [`${program} is not executable`, `chmod +x ${program}`] : undefined
}

function missingDirectory({ settings: { cwd } }: Entry): Complaint | undefined {
  if (cwd === null || !isMissing(cwd)) return undefined
  return [`the working directory ${cwd} does not exist`, 'create it, or change cwd=']
}

function missingLogDirectory({ settings: { stdout, stderr } }: Entry): Complaint | undefined {
  for (const path of [stdout, stderr].flatMap(directoryOf))
    if (isMissing(path)) return [`the log directory ${path} does not exist`, 'create it: krond does not']
  return undefined
}

/** The directory of a log file, as far as it does not depend on the time. */
function directoryOf(output: Output): string[] {
  if (output.kind !== 'file') return []
  const [fixed = ''] = output.path.split('%', 1)
  return [fixed.length < output.path.length ? dirname(`${fixed}x`) : dirname(fixed)]
}

function noSyslog({ settings: { stdout, stderr } }: Entry): Complaint | undefined {
  const isUsed = [stdout, stderr].some(each => each.kind === 'syslog')
  if (!isUsed || found(SYSLOG) !== 'absent') return undefined
  return [
    `there is no ${SYSLOG}: output to syslog would be lost`,
    'install a syslog daemon, or use stdout=file:',
  ]
}

function missingUser({ settings: { user, group } }: Entry, accounts: Accounts): Complaint | undefined {
  if (user !== null && accounts.findUser(user) === undefined)
    return [`there is no user ${user}`, 'create the user, or name another']
  if (group !== null && accounts.findGroup(group) === undefined)
    return [`there is no group ${group}`, 'create the group, or name another']
  return undefined
}

function isMissing(path: string): boolean {
  const file = found(path)
  return file === 'absent' || file?.isDirectory() === false
}

/** Undefined if this user may not look: the job's user may. */
function found(path: string): Stats | 'absent' | undefined {
  try {
    return statSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : undefined
  }
}
