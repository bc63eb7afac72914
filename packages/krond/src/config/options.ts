import { resolve } from 'node:path'
import { ConfigurationError, parseDuration, saltFault } from '@kron/core'
import {
  type Account,
  CONF_FILE,
  type CrontabSources,
  configDirectory,
  DEFAULT_NOTIFY_EVENTS,
  EVENTS_HINT,
  type NotifyEvent,
  type NotifyTarget,
  parseNotifyEvents,
  parseTargets,
  pidFile,
  type RuntimePlace,
  runtimePlaces,
  stateDirectory,
  TARGET_HINT,
} from '@kron/host'
import { type Address, parseAddress } from '../http/address.ts'
import type { Level } from '../log/event.ts'
import type { LogFormat } from '../log/log.ts'

/** How the daemon runs. Durations in milliseconds. */
export interface DaemonOptions {
  readonly config: readonly string[]
  readonly stateDir: string
  /** Where claims and the control socket may lie, best first. */
  readonly runtimePlaces: readonly RuntimePlace[]
  readonly pidFile: string
  /** Undefined: short on a terminal, text otherwise. */
  readonly logFormat: LogFormat | undefined
  readonly logLevel: Level
  /** The address at which the daemon listens; undefined: none. */
  readonly listen: Address | undefined
  readonly tokenFile: string | undefined
  readonly tlsCert: string | undefined
  readonly tlsKey: string | undefined
  readonly history: number
  readonly maxConcurrent: number
  readonly stop: 'wait' | 'terminate' | 'leave'
  /** `own`: the daemon's cgroup is its own, and each run gets a child of it. */
  readonly cgroup: 'none' | 'own'
  /** The time that `stop` waits before it leaves the children to the next daemon; undefined: no limit. */
  readonly stopTimeout: number | undefined
  readonly keepGoing: boolean
  readonly strict: boolean
  readonly followSymlinks: boolean
  /** The salt of jobs that have none of their own, before its specifiers are replaced. */
  readonly salt: string
  readonly crontabs: CrontabSources
  /** Whether the job files in the home directories of users are run as them. */
  readonly userJobFiles: boolean
  /** The program that sends the mails of crontab jobs. */
  readonly sendmail: string
  /** The default notification targets, for jobs without `notify=`. */
  readonly notify: readonly NotifyTarget[]
  readonly notifyOn: readonly NotifyEvent[]
  /** The file with the secret that signs webhooks. */
  readonly notifySecretFile: string | undefined
}

/** A setting's texts by name: from flags, from the environment or from the file. */
export type Settings = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

const variableOf = (name: string): string => `KROND_${name.replaceAll('-', '_').toUpperCase()}`

/** Flag before variable before file; every refusal names where the bad value came from. */
export function resolveOptions(flags: Settings, conf: Settings, account: Account): DaemonOptions {
  const find = (name: string): { value: string; from: string } | undefined => {
    const flag = flags[name]
    if (flag !== undefined && flag !== false && typeof flag !== 'object')
      return { value: String(flag), from: `--${name}` }
    const variable = account.env[variableOf(name)]
    if (variable !== undefined && variable !== '') return { value: variable, from: variableOf(name) }
    const key = conf[name]
    return key === undefined ? undefined : { value: String(key), from: `${name} in ${CONF_FILE}` }
  }
  const text = (name: string, otherwise: string): string => find(name)?.value ?? otherwise
  /** A setting that `read` understands; otherwise it is refused. */
  const value = <T, O>(
    name: string,
    otherwise: O,
    read: (text: string) => T | undefined,
    expected: string,
  ): T | O => {
    const found = find(name)
    return found === undefined ? otherwise : (read(found.value) ?? refuse(found, expected))
  }
  const choice = <const T extends string, O = T>(name: string, choices: readonly T[], otherwise: O): T | O =>
    value(name, otherwise, text => choices.find(each => each === text), `one of ${choices.join(', ')}`)
  const count = (name: string, least: number, otherwise: number): number =>
    value(
      name,
      otherwise,
      text => (/^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined),
      `a whole number from ${least}`,
    )
  const flag = (name: string): boolean => choice(name, ['true', 'false'], 'false') === 'true'
  const duration = (name: string): number | undefined =>
    value(name, undefined, millisecondsOf, 'a duration such as 30s')
  const parsed = <T extends object>(
    name: string,
    parse: (text: string) => T | { readonly wrong: string },
    expected: string,
  ): T | undefined => {
    const found = find(name)
    if (found === undefined) return undefined
    const value = parse(found.value)
    return 'wrong' in value ? refuse({ ...found, value: value.wrong }, `right (${expected})`) : value
  }
  const stateDir = text('state-dir', stateDirectory(account))
  const runtimeDir = find('runtime-dir')?.value
  return {
    config: listOf('config', flags, conf, account, [configDirectory(account)]),
    stateDir,
    runtimePlaces:
      runtimeDir === undefined
        ? runtimePlaces(account, resolve(stateDir), stateDirectory(account))
        : [{ path: resolve(runtimeDir), sync: false }],
    pidFile: text('pid-file', pidFile(account)),
    logFormat: choice('log-format', ['short', 'text', 'json'], undefined),
    logLevel: choice('log-level', ['debug', 'info', 'warn', 'error'], 'info'),
    listen: value('listen', undefined, parseAddress, 'host:port, a port, or the path of a Unix socket'),
    tokenFile: find('token-file')?.value,
    tlsCert: find('tls-cert')?.value,
    tlsKey: find('tls-key')?.value,
    history: count('history', 0, 50),
    maxConcurrent: count('max-concurrent', 1, Number.POSITIVE_INFINITY),
    stop: choice('stop', ['wait', 'terminate', 'leave'], 'wait'),
    cgroup: choice('cgroup', ['none', 'own'], 'none'),
    stopTimeout: duration('stop-timeout'),
    keepGoing: flag('keep-going'),
    strict: flag('strict'),
    followSymlinks: flag('follow-symlinks'),
    salt: value('salt', '', saltOf, 'a salt with no specifiers but %H, %m and %%'),
    notify: parsed('notify', parseTargets, TARGET_HINT) ?? [],
    notifyOn: parsed('notify-on', parseNotifyEvents, EVENTS_HINT) ?? DEFAULT_NOTIFY_EVENTS,
    notifySecretFile: find('notify-secret-file')?.value,
    sendmail: text('sendmail', '/usr/sbin/sendmail'),
    userJobFiles: flag('user-job-files'),
    crontabs: {
      system: listOf('system-crontab', flags, conf, account),
      users: listOf('user-crontabs', flags, conf, account),
      cronDirectories: flag('cron-directories'),
      windowNs: (duration('crontab-window') ?? 0) * 1_000_000,
    },
  }
}

function millisecondsOf(text: string): number | undefined {
  const read = parseDuration(text)
  return read.ok ? read.value / 1_000_000 : undefined
}

const saltOf = (text: string): string | undefined => (saltFault(text) === undefined ? text : undefined)

function refuse({ value, from }: { value: string; from: string }, expected: string): never {
  throw new ConfigurationError(`${from} must be ${expected}, found ${JSON.stringify(value)}`, {
    component: 'configuration',
    operation: 'read options',
  })
}

function listOf(
  name: string,
  flags: Settings,
  conf: Settings,
  account: Account,
  otherwise: readonly string[] = [],
): readonly string[] {
  const given = flags[name]
  if (Array.isArray(given) && given.length > 0) return given
  const text = account.env[variableOf(name)] || conf[name]
  return typeof text === 'string' && text !== '' ? text.split(':') : otherwise
}

export const hasCrontabs = ({ crontabs }: Pick<DaemonOptions, 'crontabs'>): boolean =>
  crontabs.system.length + crontabs.users.length > 0
