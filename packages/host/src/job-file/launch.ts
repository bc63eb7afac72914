import { statSync } from 'node:fs'
import { CrontabEntry } from '../crontab/entry.ts'
import type { RunOutput, RunSpec, UserIds } from '../launch/run-spec.ts'
import { argvOf } from './command.ts'
import type { Entry, Output } from './entry.ts'
import { expandPath } from './output.ts'

/** The user that a job runs as, resolved when its file was loaded. */
export interface RunAccount extends UserIds {
  readonly name: string
  readonly home: string
  readonly shell: string
}

/** The execution an entry is launched for; the times are RFC 3339 UTC. */
export interface Occasion {
  readonly executionId: string
  /** Empty for a manual run, which is no period. */
  readonly nominalTime: string
  readonly chosenTime: string
  /** The user who asked for a manual run. */
  readonly user?: string
}

type Variables = Readonly<Record<string, string | undefined>>

/** Variables of the service manager: they are meant for the daemon alone and would mislead a job. */
const SERVICE_MANAGER = new Set([
  'NOTIFY_SOCKET',
  'WATCHDOG_USEC',
  'WATCHDOG_PID',
  'LISTEN_FDS',
  'LISTEN_PID',
  'LISTEN_FDNAMES',
  'INVOCATION_ID',
  'JOURNAL_STREAM',
  'MAINPID',
  'MANAGERPID',
  'SYSTEMD_EXEC_PID',
  'MEMORY_PRESSURE_WATCH',
  'MEMORY_PRESSURE_WRITE',
  'FDSTORE',
  'CREDENTIALS_DIRECTORY',
  'RUNTIME_DIRECTORY',
  'STATE_DIRECTORY',
  'CACHE_DIRECTORY',
  'LOGS_DIRECTORY',
  'CONFIGURATION_DIRECTORY',
])

/** The same as in cron. */
const CRON_PATH = '/usr/bin:/bin'
const CRON_SHELL = '/bin/sh'
const NANOSECONDS_PER_MS = 1_000_000

/** How krond and `krontab run` start an entry: one function, so that they cannot differ. */
export function runSpecOf(
  entry: Entry,
  occasion: Occasion,
  inherited: Variables,
  runAs?: RunAccount,
): RunSpec {
  const { cwd, umask, nice, nofile, nproc, fsize, core, stdout, stderr, outputKeep, timeout, grace } =
    entry.settings
  return {
    executionId: occasion.executionId,
    job: entry.name,
    ...commandOf(entry),
    environment:
      entry instanceof CrontabEntry
        ? entry.crontab.variables
        : environmentOf(entry, occasion, inherited, runAs),
    ...(cwd === null ? {} : { cwd: entry instanceof CrontabEntry ? homeOr(cwd) : cwd }),
    ...(runAs === undefined ? {} : { user: { uid: runAs.uid, gid: runAs.gid, groups: runAs.groups } }),
    ...(umask === null ? {} : { umask }),
    ...(nice === null ? {} : { nice }),
    limits: {
      ...(nofile === null ? {} : { nofile }),
      ...(nproc === null ? {} : { nproc }),
      ...(fsize === null ? {} : { fsize }),
      ...(core === null ? {} : { core }),
    },
    stdout: outputOf(stdout, entry, occasion),
    stderr: outputOf(stderr, entry, occasion),
    ...(outputKeep === null ? {} : { keepBytes: outputKeep }),
    ...(timeout === null ? {} : { timeoutMs: timeout / NANOSECONDS_PER_MS }),
    graceMs: grace / NANOSECONDS_PER_MS,
  }
}

/** Cron starts a command even if the home directory is missing; many system users have none. */
const homeOr = (home: string): string =>
  statSync(home, { throwIfNoEntry: false })?.isDirectory() ? home : '/'

/** A crontab's own shell gets the command, and the text after `%` as input. */
function commandOf(entry: Entry): Pick<RunSpec, 'command' | 'stdin'> {
  if (!(entry instanceof CrontabEntry))
    return { command: entry.shell ? { shell: entry.command } : argvOf(entry) }
  const { shell, input } = entry.crontab
  return { command: [shell, '-c', entry.command], ...(input === undefined ? {} : { stdin: input }) }
}

function environmentOf(
  entry: Entry,
  occasion: Occasion,
  inherited: Variables,
  runAs: RunAccount | undefined,
): Record<string, string> {
  const { inheritEnv, user, env } = entry.settings
  return {
    ...((inheritEnv ?? user === null) ? heritageOf(inherited) : withoutHeritage(user, inherited)),
    ...(runAs && user !== null ? accountVariables(runAs) : undefined),
    ...env,
    KRON_JOB: entry.name,
    KRON_IDENTITY: entry.identity,
    KRON_PERIOD_ID: occasion.nominalTime,
    KRON_NOMINAL_TIME: occasion.nominalTime,
    KRON_CHOSEN_TIME: occasion.chosenTime,
    KRON_EXECUTION_ID: occasion.executionId,
    ...(occasion.user === undefined ? {} : { KRON_TRIGGERED_BY: occasion.user }),
  }
}

/** The variables that cron sets for a user's job. */
const accountVariables = ({ home, name }: RunAccount): Record<string, string> => ({
  HOME: home,
  USER: name,
  LOGNAME: name,
  SHELL: CRON_SHELL,
})

/** A user's job has at least a search path and a language. */
const withoutHeritage = (user: string | null, { LANG }: Variables): Record<string, string> =>
  user === null ? {} : { PATH: CRON_PATH, ...(LANG === undefined ? {} : { LANG }) }

/** By inherited environment: a daemon passes the same one to every job. */
const heritages = new WeakMap<Variables, Readonly<Record<string, string>>>()

function heritageOf(inherited: Variables): Readonly<Record<string, string>> {
  let heritage = heritages.get(inherited)
  if (heritage === undefined) {
    const kept = Object.entries(inherited).filter(
      (variable): variable is [string, string] =>
        variable[1] !== undefined && !SERVICE_MANAGER.has(variable[0]),
    )
    heritage = Object.fromEntries(kept)
    heritages.set(inherited, heritage)
  }
  return heritage
}

function outputOf(output: Output, entry: Entry, { chosenTime }: Occasion): RunOutput {
  return output.kind === 'file'
    ? { kind: 'file', path: expandPath(output.path, entry.name, chosenTime) }
    : output
}
