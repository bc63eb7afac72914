import type { Output as LaunchOutput, LaunchSpec, UserIds } from '@kron/runtime'
import { argvOf } from './command.ts'
import type { Entry, Output } from './entry.ts'
import { expandPath } from './output.ts'

/** Whom a job runs as, resolved when its file was loaded. */
export interface Identity extends UserIds {
  readonly name: string
  readonly home: string
  readonly shell: string
}

/** The execution an entry is launched for; the times are RFC 3339 UTC. */
export interface Occasion {
  readonly executionId: string
  readonly nominalTime: string
  readonly chosenTime: string
}

type Variables = Readonly<Record<string, string | undefined>>

/** What concerns the daemon alone and would mislead a job. */
const PRIVATE = new Set([
  'NOTIFY_SOCKET',
  'WATCHDOG_USEC',
  'WATCHDOG_PID',
  'LISTEN_FDS',
  'LISTEN_PID',
  'LISTEN_FDNAMES',
])

/** How krond, and `krontab run` after it, start an entry: one function, so that they cannot differ. */
export function launchSpecOf(
  entry: Entry,
  occasion: Occasion,
  inherited: Variables,
  runAs?: Identity,
): LaunchSpec {
  const { cwd, umask, nofile, nproc, stdout, stderr } = entry.settings
  const limits = { ...(nofile === null ? {} : { nofile }), ...(nproc === null ? {} : { nproc }) }
  return {
    command: entry.shell ? { shell: entry.command } : argvOf(entry),
    environment: environmentOf(entry, occasion, inherited, runAs),
    ...(cwd === null ? {} : { cwd }),
    ...(runAs === undefined ? {} : { user: { uid: runAs.uid, gid: runAs.gid } }),
    ...(umask === null ? {} : { umask }),
    ...(nofile === null && nproc === null ? {} : { limits }),
    stdout: outputOf(stdout, entry, occasion),
    stderr: outputOf(stderr, entry, occasion),
  }
}

function environmentOf(
  entry: Entry,
  occasion: Occasion,
  inherited: Variables,
  runAs: Identity | undefined,
): Record<string, string> {
  return {
    ...(entry.settings.inheritEnv ? heritageOf(inherited) : undefined),
    ...(runAs && { HOME: runAs.home, USER: runAs.name, LOGNAME: runAs.name, SHELL: runAs.shell }),
    ...entry.settings.env,
    KRON_JOB: entry.name,
    KRON_IDENTITY: entry.identity,
    KRON_PERIOD_ID: occasion.nominalTime,
    KRON_NOMINAL_TIME: occasion.nominalTime,
    KRON_CHOSEN_TIME: occasion.chosenTime,
    KRON_EXECUTION_ID: occasion.executionId,
  }
}

/** By what is inherited: a daemon hands the same to every job. */
const heritages = new WeakMap<Variables, Readonly<Record<string, string>>>()

function heritageOf(inherited: Variables): Readonly<Record<string, string>> {
  let heritage = heritages.get(inherited)
  if (heritage === undefined) {
    const kept = Object.entries(inherited).filter(
      (variable): variable is [string, string] => variable[1] !== undefined && !PRIVATE.has(variable[0]),
    )
    heritage = Object.fromEntries(kept)
    heritages.set(inherited, heritage)
  }
  return heritage
}

function outputOf(output: Output, entry: Entry, { chosenTime }: Occasion): LaunchOutput {
  switch (output.kind) {
    case 'file':
      return { kind: 'file', path: expandPath(output.path, entry.name, chosenTime) }
    case 'syslog':
      return { kind: 'syslog', tag: entry.name }
    case 'inherit':
    case 'discard':
      return output
  }
}
