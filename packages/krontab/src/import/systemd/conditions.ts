import type { KnownUser } from '../crontab/crontab.ts'
import type { Conditions } from '../equivalence/conditions.ts'
import type { Setting } from '../imported.ts'

/** The default that systemd sets for system services. */
const SERVICE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin'

/** The variables that systemd sets for a service before those of Environment=. */
export const serviceVariables = (account: KnownUser | undefined): Readonly<Record<string, string>> => ({
  PATH: SERVICE_PATH,
  ...(account === undefined
    ? {}
    : { HOME: account.home, LOGNAME: account.name, USER: account.name, SHELL: account.shell }),
})

/** How systemd runs a service with these settings: they name everything that it takes from the unit. */
export function conditionsOfService(
  settings: readonly Setting[],
  shell: boolean,
  findUser: (name: string) => KnownUser | undefined,
): Conditions {
  const settingOf = (key: string): string | undefined => settings.find(([each]) => each === key)?.[1]
  const user = settingOf('user')
  const account = user === undefined ? undefined : findUser(user)
  const own = settings.flatMap(([key, value]) => {
    const equals = value.indexOf('=')
    return key === 'env' ? [[value.slice(0, equals), value.slice(equals + 1)]] : []
  })
  const groups = settingOf('groups')
  return {
    user,
    groups: groups !== undefined && /^[\d,]+$/.test(groups) ? groups.split(',').map(Number) : account?.groups,
    shell: shell ? '/bin/sh' : undefined,
    directory: settingOf('cwd') ?? '/',
    umask: Number.parseInt(settingOf('umask') ?? '0022', 8),
    environment: { ...serviceVariables(account), ...Object.fromEntries(own) },
    mail: undefined,
  }
}
