import { ExecutionError } from '@kron/core'
import { LONGEST_FRAME } from './frames.ts'

/** A program and its arguments, or a text for /bin/sh. */
export type Command = readonly string[] | { readonly shell: string }

export type RunOutput =
  /** The daemon's log, with the job's name before each line. */
  | { readonly kind: 'inherit' }
  | { readonly kind: 'discard' }
  /** The output is appended to the file, which is created with mode 0640 if missing. */
  | { readonly kind: 'file'; readonly path: string }
  /** The local syslog: stdout at `info`, stderr at `warning`. */
  | { readonly kind: 'syslog' }

export interface UserIds {
  readonly uid: number
  readonly gid: number
  readonly groups: readonly number[]
}

/** Soft and hard limits; absent ones are left unchanged. */
export interface Limits {
  /** Open files. */
  readonly nofile?: number
  /** Processes of the user. */
  readonly nproc?: number
  /** Bytes of the largest file it may write. */
  readonly fsize?: number
  /** Bytes of a core file. */
  readonly core?: number
}

/** Everything the shim needs to know to run a command. */
export interface RunSpec {
  readonly executionId: string
  /** For process lists and syslog. */
  readonly job: string
  readonly command: Command
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  readonly cwd?: string
  /** The user to run as; the daemon's own unless given. */
  readonly user?: UserIds
  readonly umask?: number
  readonly nice?: number
  readonly limits?: Limits
  /** Bytes for standard input; /dev/null unless given. */
  readonly stdin?: string
  readonly stdout: RunOutput
  readonly stderr: RunOutput
  /** Bytes of output kept for later. */
  readonly keepBytes?: number
  readonly timeoutMs?: number
  readonly graceMs?: number
  /** CLOCK_BOOTTIME in milliseconds: the command is not started before this time. */
  readonly firstStartBootMs?: number
  /** CLOCK_BOOTTIME in whole milliseconds: the command is not started after this time. */
  readonly lastStartBootMs?: number
}

/** The longest time that fits into the shim's arithmetic: about 300 years. */
const LONGEST_MS = 1e13

/** The fields of a `start` frame after the claim's name. Throws an ExecutionError if the spec cannot be sent. */
export function specFields(spec: RunSpec): string[] {
  const { user, limits = {}, umask, stdin } = spec
  const fields = ['kron-run/1', `execution=${spec.executionId}`, `job=${spec.job}`]
  const words = 'shell' in spec.command ? ['/bin/sh', '-c', spec.command.shell] : spec.command
  for (const word of words) fields.push(`arg=${word}`)
  for (const name in spec.environment) fields.push(`env=${name}=${spec.environment[name]}`)
  const number = (key: string, value: number | undefined): void => {
    if (value !== undefined) fields.push(`${key}=${Math.min(Math.max(Math.floor(value), -20), LONGEST_MS)}`)
  }
  if (spec.cwd !== undefined) fields.push(`cwd=${spec.cwd}`)
  if (user !== undefined) fields.push(`uid=${user.uid}`, `gid=${user.gid}`, `groups=${user.groups.join(',')}`)
  if (umask !== undefined) fields.push(`umask=${umask.toString(8)}`)
  number('nice', spec.nice)
  number('nofile', limits.nofile)
  number('nproc', limits.nproc)
  number('fsize', limits.fsize)
  number('core', limits.core)
  if (stdin !== undefined) fields.push(`stdin=${stdin}`)
  fields.push(`stdout=${printOutput(spec.stdout)}`, `stderr=${printOutput(spec.stderr)}`)
  number('keep', spec.keepBytes)
  number('timeout', spec.timeoutMs)
  number('grace', spec.graceMs)
  if (spec.firstStartBootMs !== undefined)
    fields.push(`first=${Math.max(0, Math.ceil(spec.firstStartBootMs * 1_000))}000`)
  if (spec.lastStartBootMs !== undefined)
    fields.push(`last=${Math.max(0, Math.floor(spec.lastStartBootMs))}000000`)
  check(spec, fields)
  return fields
}

const printOutput = (output: RunOutput): string =>
  output.kind === 'file' ? `file:${output.path}` : output.kind

function check({ environment, command }: RunSpec, fields: readonly string[]): void {
  if (!('shell' in command) && (command[0] ?? '') === '') throw refused('the command is empty')
  // One look at all of them: a look at each would cost a tenth of a start.
  const text = fields.join('')
  if (text.includes('\0')) {
    const field = fields.find(each => each.includes('\0'))!
    throw refused(`a NUL byte in ${field.slice(0, field.indexOf('='))}`)
  }
  for (const name in environment) {
    if (name === '' || name.includes('=')) throw refused(`"${name}" cannot name a variable`)
  }
  if (Buffer.byteLength(text) + fields.length > LONGEST_FRAME - 1_024)
    throw refused('its arguments and environment are longer than 4 MiB')
}

const refused = (message: string): ExecutionError =>
  new ExecutionError(`cannot run the command: ${message}`, { component: 'launch', operation: 'launch' })
