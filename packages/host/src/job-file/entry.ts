import { type Job, type Schedule, SECOND } from '@kron/core'
import type { NotifyEvent, NotifyTarget } from './notify.ts'

/** One job of a job file: a core job with the identity `<absolute path>:<name>`, and its command. */
export class Entry implements Job {
  readonly identity: string
  readonly schedule: Schedule
  /** Without the file's outer quotes and escapes; one string costs half as much as the argv that `argvOf` makes. */
  readonly command: string
  /** Whether the whole command goes to `/bin/sh -c`. */
  readonly shell: boolean
  readonly settings: Settings
  readonly description: string
  /** The number of its line in the file, from 1. */
  readonly line: number

  constructor(
    identity: string,
    schedule: Schedule,
    command: string,
    shell: boolean,
    settings: Settings,
    description: string,
    line: number,
  ) {
    this.identity = identity
    this.schedule = schedule
    this.command = command
    this.shell = shell
    this.settings = settings
    this.description = description
    this.line = line
  }

  /** The same job with another schedule. */
  withSchedule(schedule: Schedule): Entry {
    const { identity, command, shell, settings, description, line } = this
    return new Entry(identity, schedule, command, shell, settings, description, line)
  }

  get name(): string {
    return nameOf(this.identity)
  }

  /** The file's path, as it is in the identity. */
  get path(): string {
    return this.identity.slice(0, this.identity.lastIndexOf(':'))
  }
}

/** A name holds no colon, so the last one ends the path. */
export const nameOf = (identity: string): string => identity.slice(identity.lastIndexOf(':') + 1)

/** The path of the job file in an identity. */
export const fileOf = (identity: string): string => identity.slice(0, identity.lastIndexOf(':'))

/** How the command is run; null means the daemon's own. Durations in nanoseconds. */
export interface Settings {
  readonly user: string | null
  readonly group: string | null
  /** Supplementary groups; null: those the user has. */
  readonly groups: readonly string[] | null
  readonly cwd: string | null
  readonly env: Readonly<Record<string, string>>
  /** Null: yes, except for a job with `user`, which gets the environment that cron gives. */
  readonly inheritEnv: boolean | null
  readonly umask: number | null
  readonly timeout: number | null
  readonly grace: number
  readonly stdout: Output
  readonly stderr: Output
  readonly nofile: number | null
  readonly nproc: number | null
  /** Bytes of the largest file it may write. */
  readonly fsize: number | null
  /** Bytes of a core file. */
  readonly core: number | null
  /** -20 to 19. */
  readonly nice: number | null
  /** Bytes of output kept per run; null: the default. */
  readonly outputKeep: number | null
  /** The notification targets; null: those of krond.conf. */
  readonly notify: readonly NotifyTarget[] | null
  /** The events that cause a notification; null: those of krond.conf. */
  readonly notifyOn: readonly NotifyEvent[] | null
  /** The URL of a monitor that expects a ping at each start and end. */
  readonly ping: string | null
}

export type Output =
  | { readonly kind: 'inherit' }
  | { readonly kind: 'discard' }
  | { readonly kind: 'syslog' }
  /** The path may hold `%Y %m %d %H %M %S %N %%`. */
  | { readonly kind: 'file'; readonly path: string }

export const INHERIT: Output = { kind: 'inherit' }

/** Shared by every job without settings of its own. */
export const DEFAULT_SETTINGS: Settings = {
  user: null,
  group: null,
  groups: null,
  cwd: null,
  env: {},
  inheritEnv: null,
  umask: null,
  timeout: null,
  grace: 10 * SECOND,
  stdout: INHERIT,
  stderr: INHERIT,
  nofile: null,
  nproc: null,
  fsize: null,
  core: null,
  nice: null,
  outputKeep: null,
  notify: null,
  notifyOn: null,
  ping: null,
}
