import type { Remarks } from '@kron/cli'
import type { KnownUser } from '../crontab/crontab.ts'
import type { Setting } from '../imported.ts'
import { serviceVariables } from './conditions.ts'
import { expandSpecifiers, type Specifiers, splitWords } from './exec.ts'
import { readTimeSpan } from './time-span.ts'
import { type Directive, last, listed } from './unit-file.ts'

/** Directives of a service that need no remark: they are read elsewhere, or do not affect a run. */
const SILENT = new Set(
  'ExecStart ExecStartPre ExecStartPost Description Documentation Type RemainAfterExit SyslogIdentifier WantedBy RequiredBy Alias Also DefaultInstance'.split(
    ' ',
  ),
)

type Reader = (directive: Directive, directives: readonly Directive[], remarks: Remarks) => readonly Setting[]

const READERS: Readonly<Record<string, Reader>> = {
  Group: ({ value }) => [['group', value]],
  UMask: ({ value }) => [['umask', value]],
  WorkingDirectory({ value, line }, _, remarks) {
    const path = value.replace(/^-/, '')
    if (path.startsWith('/')) return [['cwd', path]]
    remarks.lost(line, `WorkingDirectory=${value} is not an absolute path`)
    return []
  },
  TimeoutStartSec: (directive, directives, remarks) =>
    // Only a oneshot service is "starting" during its whole run.
    last(directives, 'Type')?.value === 'oneshot' ? span('timeout', directive, remarks) : [],
  RuntimeMaxSec: (directive, _, remarks) => span('timeout', directive, remarks),
  TimeoutStopSec: (directive, _, remarks) => span('grace', directive, remarks),
  TimeoutSec: (directive, directives, remarks) => [
    ...(last(directives, 'Type')?.value === 'oneshot' ? span('timeout', directive, remarks) : []),
    ...span('grace', directive, remarks),
  ],
  LimitNOFILE: (directive, _, remarks) => limit('nofile', directive, remarks),
  LimitNPROC: (directive, _, remarks) => limit('nproc', directive, remarks),
  StandardOutput: (directive, _, remarks) => output('stdout', directive, remarks),
  StandardError: (directive, _, remarks) => output('stderr', directive, remarks),
}

/** The settings that a service gives its command; every other directive gets a remark. */
export function settingsOfService(
  directives: readonly Directive[],
  specifiers: Specifiers,
  privileged: boolean,
  remarks: Remarks,
  findUser: (name: string) => KnownUser | undefined,
): Setting[] {
  const settings: Setting[] = []
  const user = last(directives, 'User')
  if (user !== undefined && privileged)
    remarks.changed(
      user.line,
      `User=${user.value} does not hold for a command with + or !: it runs as krond does`,
    )
  else if (user !== undefined) settings.push(['user', expandSpecifiers(user.value, specifiers) ?? user.value])
  const name = settings[0]?.[1]
  const account = name === undefined ? undefined : findUser(name)
  const seen = new Set(['User', 'Environment', 'SupplementaryGroups'])
  for (const { key } of directives) {
    if (seen.has(key) || SILENT.has(key)) continue
    seen.add(key)
    const reader = Object.hasOwn(READERS, key) ? READERS[key] : undefined
    if (reader === undefined) {
      for (const { line, value } of listed(directives, key)) remarks.lost(line, whyLost(key, value))
    } else {
      const directive = last(directives, key)
      if (directive === undefined) continue
      const value = expandSpecifiers(directive.value, specifiers)
      if (value === undefined)
        remarks.lost(directive.line, `${key}=${directive.value}: its specifier is known to systemd only`)
      else settings.push(...reader({ ...directive, value }, directives, remarks))
    }
  }
  remarkOnType(directives, remarks)
  settings.push(...groupsOf(directives, account, remarks))
  const has = (key: string): boolean => settings.some(([each]) => each === key)
  if (!has('cwd')) settings.push(['cwd', '/'])
  if (!has('umask')) settings.push(['umask', '0022'])
  settings.push(['inherit_env', 'false'])
  const own = environment(directives, specifiers, remarks)
  const given = new Set(own.map(([, value]) => value.slice(0, value.indexOf('='))))
  const defaults = Object.entries(serviceVariables(account)).filter(([variable]) => !given.has(variable))
  return [...settings, ...defaults.map(([key, value]): Setting => ['env', `${key}=${value}`]), ...own]
}

/** systemd adds these to the user's own groups; groups= replaces the user's own, so both are listed. */
function groupsOf(
  directives: readonly Directive[],
  account: KnownUser | undefined,
  remarks: Remarks,
): Setting[] {
  const added = listed(directives, 'SupplementaryGroups').flatMap(({ value }) => value.split(/\s+/))
  if (added.length === 0) return []
  if (account === undefined)
    remarks.changed(
      0,
      'SupplementaryGroups: the own groups of the user are not known here, so only these are set',
    )
  return [['groups', [...(account?.groups ?? []), ...added].join(',')]]
}

function whyLost(key: string, value: string): string {
  const said = `${key}=${value}`
  if (/^(?:After|Before|Wants|Requires|Requisite|BindsTo|PartOf|Conflicts|DefaultDependencies)$/.test(key))
    return `${said}: krond starts jobs by time alone, whatever else runs`
  if (/^(?:Condition|Assert)/.test(key) || key === 'ExecCondition')
    return `${said}: krond knows no conditions; test it in the command`
  if (/^(?:OnFailure|OnSuccess|Restart)/.test(key))
    return `${said}: krond acts on no result; watch its log or metrics`
  if (/^(?:EnvironmentFile|PassEnvironment|UnsetEnvironment)$/.test(key))
    return `${said}: write the variables as env=`
  if (/^Exec/.test(key)) return `${said}: krond runs one command a job`
  return `${said} has no counterpart in a job file`
}

function remarkOnType(directives: readonly Directive[], remarks: Remarks): void {
  const type = last(directives, 'Type')
  if (type === undefined || ['oneshot', 'simple', 'exec', 'idle'].includes(type.value)) return
  const why =
    type.value === 'forking'
      ? 'krond takes the job to be over when the first process ends'
      : 'krond waits for no readiness'
  remarks.changed(type.line, `Type=${type.value}: ${why}`)
}

function environment(directives: readonly Directive[], specifiers: Specifiers, remarks: Remarks): Setting[] {
  const variables = new Map<string, string>()
  for (const { value, line } of listed(directives, 'Environment')) {
    const expanded = expandSpecifiers(value, specifiers)
    const words = expanded === undefined ? 'a specifier is known to systemd only' : splitWords(expanded)
    if (typeof words === 'string') {
      remarks.lost(line, `Environment=${value}: ${words}`)
      continue
    }
    for (const word of words) {
      const equals = word.indexOf('=')
      if (equals > 0) variables.set(word.slice(0, equals), word.slice(equals + 1))
      else remarks.lost(line, `Environment=${value}: ${word} is not NAME=value`)
    }
  }
  return [...variables].map(([name, value]) => ['env', `${name}=${value}`])
}

function span(setting: 'timeout' | 'grace', { key, value, line }: Directive, remarks: Remarks): Setting[] {
  const seconds = readTimeSpan(value)
  if (seconds === undefined) remarks.lost(line, `${key}=${value} is not a time span`)
  if (seconds === undefined || !Number.isFinite(seconds) || seconds === 0) return []
  return [[setting, `${seconds}s`]]
}

function limit(setting: 'nofile' | 'nproc', { key, value, line }: Directive, remarks: Remarks): Setting[] {
  const [soft = '', hard] = value.split(':')
  if (!/^\d+$/.test(soft)) {
    remarks.lost(line, `${key}=${value}: a job file holds plain numbers only`)
    return []
  }
  if (hard !== undefined && hard !== soft)
    remarks.changed(line, `${key}=${value}: soft and hard limit are both ${soft} now`)
  return [[setting, soft]]
}

function output(setting: 'stdout' | 'stderr', { key, value, line }: Directive, remarks: Remarks): Setting[] {
  if (value === 'null') return [[setting, 'discard']]
  if (value === 'syslog') return [[setting, 'syslog']]
  if (value === 'journal' || value === 'inherit') return []
  const path = /^(append|file|truncate):(\/.*)$/.exec(value)
  if (path === null) {
    remarks.lost(line, `${key}=${value}: output goes to krond's own`)
    return []
  }
  if (path[1] !== 'append') remarks.changed(line, `${key}=${value}: krond always appends`)
  return [[setting, `file:${path[2]!.replaceAll('%', '%%')}`]]
}
