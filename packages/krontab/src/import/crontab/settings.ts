import type { Remarks } from '@kron/cli'
import { type CrontabLine, crontabEnvironment, parseTargets } from '@kron/host'
import type { Conditions } from '../equivalence/conditions.ts'
import type { Setting } from '../imported.ts'
import type { CrontabOptions } from './crontab.ts'
import type { Environment } from './environment.ts'

/** The umask of cron's jobs. */
const UMASK = 0o022

/** The user of a line: BSD crons allow `user:group/class`. */
function userOf(line: CrontabLine, { owner }: CrontabOptions) {
  const [, user = owner, group, loginClass] = /^([^:/]+)(?::([^/]+))?(?:\/(.+))?$/.exec(line.user ?? '') ?? []
  return { user, group, loginClass }
}

/** The fields of a job-file line that give its command what cron gives it. */
export function settingsOfLine(
  line: CrontabLine,
  number: number,
  environment: Environment,
  options: CrontabOptions,
  remarks: Remarks,
): Setting[] {
  const { user, group, loginClass } = userOf(line, options)
  const settings: Setting[] = []
  if (loginClass !== undefined) remarks.lost(number, `the login class ${loginClass} has no counterpart`)
  if (user !== undefined) settings.push(['user', user])
  if (group !== undefined) settings.push(['group', group])
  const account = options.findUser(user)
  const home = environment.home ?? account?.home
  if (home === undefined)
    remarks.lost(
      number,
      `there is no user ${user ?? 'of krond'} here, so home directory and groups are not known and cwd= is not set`,
    )
  else if (home.startsWith('/')) settings.push(['cwd', home])
  else remarks.lost(number, `HOME=${home} is not an absolute path, so cwd= is not set`)
  settings.push(['umask', UMASK.toString(8).padStart(4, '0')])
  // With user= krond sets the same variables as cron; without it the job would inherit the daemon's.
  if (user === undefined) {
    settings.push(['inherit_env', 'false'])
    const defaults = account === undefined ? {} : crontabEnvironment(account, {})
    for (const [name, value] of Object.entries(defaults))
      if (!environment.variables.some(([given]) => given === name)) settings.push(['env', `${name}=${value}`])
  }
  for (const [name, value] of environment.variables) settings.push(['env', `${name}=${value}`])
  settings.push(['stdout', 'discard'], ['stderr', 'discard'])
  return [...settings, ...mailSettings(environment, user ?? account?.name, number, remarks)]
}

function mailSettings(
  { mailTo }: Environment,
  user: string | undefined,
  number: number,
  remarks: Remarks,
): Setting[] {
  const to = addressesOf(mailTo ?? user ?? '')
  if (to.length === 0) return []
  const targets = to.map(address => `mail:${address}`).join(',')
  if (!('wrong' in parseTargets(targets)))
    return [
      ['notify', targets],
      ['notify_on', 'output'],
    ]
  remarks.lost(number, `the mail to ${to.join(', ')}: krond cannot write to such an address`)
  return []
}

const addressesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

/** How cron runs the command of a line. */
export function conditionsOfLine(
  line: CrontabLine,
  { shell, home, given, mailTo }: Environment,
  options: CrontabOptions,
): Conditions {
  const { user } = userOf(line, options)
  const account = options.findUser(user)
  const known = account ?? { name: user ?? '', uid: 0, gid: 0, home: home ?? '', shell: '/bin/sh' }
  return {
    user,
    groups: user === undefined ? undefined : account?.groups,
    shell,
    directory: home ?? account?.home,
    umask: UMASK,
    environment: crontabEnvironment(known, given),
    mail: addressesOf(mailTo ?? known.name).join(',') || undefined,
  }
}
