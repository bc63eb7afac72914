import { ExecutionError } from '@kron/core'
import type { Exit, ProcessIdentity } from '../process/process-table.ts'

/** A program and its arguments, or a text for /bin/sh. */
export type Command = readonly string[] | { readonly shell: string }

export type Output =
  /** The daemon's own stdout or stderr. */
  | { readonly kind: 'inherit' }
  | { readonly kind: 'discard' }
  /** Appended to; made with mode 0640 if missing. */
  | { readonly kind: 'file'; readonly path: string }
  /** A descriptor that the caller keeps open until the launch has resolved. */
  | { readonly kind: 'descriptor'; readonly fd: number }
  /** The local syslog: stdout at `info`, stderr at `warning`. */
  | { readonly kind: 'syslog'; readonly tag: string }

export interface UserIds {
  readonly uid: number
  readonly gid: number
  /** Supplementary groups; none unless given. */
  readonly groups?: readonly number[]
}

export interface Limits {
  /** Open files. */
  readonly nofile?: number
  /** Processes of the user. */
  readonly nproc?: number
}

export interface LaunchSpec {
  readonly command: Command
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Whom to run as; the daemon's own user unless given. */
  readonly user?: UserIds
  readonly umask?: number
  readonly limits?: Limits
  readonly stdout: Output
  readonly stderr: Output
}

export interface Launched {
  /** Leads a session and a process group of its own. */
  readonly process: ProcessIdentity
  /** For how many whole milliseconds it has been there: other starts may have come before this word of it. */
  readonly age: number
  readonly exited: Promise<Exit>
}

/** Starts processes. A launch rejects with a `LaunchError`. */
export interface Launcher {
  launch(spec: LaunchSpec): Promise<Launched>
}

export class LaunchError extends ExecutionError {
  /** Name of the errno, as `ENOENT`. */
  readonly code: string
  /** `no` is definite: the command has not run and never will. */
  readonly created: 'no' | 'unknown'

  constructor(
    message: string,
    details: {
      readonly code: string
      readonly created: 'no' | 'unknown'
      readonly hint?: string | undefined
    },
  ) {
    super(message, {
      component: 'launch',
      operation: 'launch',
      ...(details.hint === undefined ? {} : { hint: details.hint }),
    })
    this.code = details.code
    this.created = details.created
  }
}
