import { getSystemErrorName } from 'node:util'
import { ExecutionError } from '@kron/core'

/** A command that was certainly not executed. */
export class StartRefusedError extends ExecutionError {
  /** The shim's name for the step that failed. */
  readonly stage: string
  /** Name of the errno, as ENOENT; empty if there is none. */
  readonly code: string

  constructor(stage: string, errno: number, detail: string) {
    const code = errno === 0 ? '' : nameOf(errno)
    const [message, hint] = explain(stage, code, detail)
    super(message, { component: 'launch', operation: 'launch', ...(hint === undefined ? {} : { hint }) })
    this.stage = stage
    this.code = code
  }
}

function nameOf(errno: number): string {
  try {
    return getSystemErrorName(-errno)
  } catch {
    return `errno ${errno}`
  }
}

/** The message about the failure, and a hint for the user. */
function explain(
  stage: string,
  code: string,
  detail: string,
): readonly [message: string, hint?: string | undefined] {
  switch (stage) {
    case 'exec':
      return [`cannot run ${detail}: ${EXEC_REASONS[code] ?? code}`, EXEC_HINTS[code]]
    case 'cwd':
      return [`cannot enter the working directory ${detail}: ${reason(code)}`, 'create it, or change cwd=']
    case 'stdout':
    case 'stderr':
      return [`cannot open the ${stage} file ${detail}: ${fileReason(code)}`, FILE_HINTS[code]]
    case 'uid':
    case 'gid':
    case 'groups':
      return [
        `cannot become the job's user (${stage}): ${reason(code)}`,
        'run krond as root, with all of its capabilities',
      ]
    case 'limits':
    case 'nice':
    case 'oom':
      return [`cannot set ${detail || stage}: ${reason(code)}`, 'a limit above the hard limit needs root']
    case 'fork':
      return [`cannot create a process: ${reason(code)}`, 'a limit on processes or memory is reached']
    case 'deadline':
      return ['the deadline passed while the command was being started']
    case 'killed':
      return ['the process was killed before it became the command']
    case 'claim':
      return [
        `cannot create the claim of the period: ${reason(code)}`,
        'see to the room in the runtime directory',
      ]
    default:
      return [`cannot start the command (${stage}): ${reason(code)}`]
  }
}

const reason = (code: string): string => REASONS[code] ?? (code || 'refused')

const fileReason = (code: string): string =>
  code === 'ELOOP' ? 'it is a symbolic link' : code === 'EINVAL' ? 'it is not a regular file' : reason(code)

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a part of the path is not a directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EAGAIN: 'a limit on the number of processes is reached',
  ENOMEM: 'not enough memory',
  ENOSPC: 'no space left on the device',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
}

const EXEC_REASONS: Readonly<Record<string, string>> = {
  ...REASONS,
  ENOENT: 'no such file, or its interpreter does not exist',
  EACCES: 'it is not executable for this user',
  ENOEXEC: 'it is neither a program for this machine nor a script with #!',
  E2BIG: 'its arguments and environment are too long',
}

const EXEC_HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'give the absolute path of the program',
  EACCES: 'chmod +x the program, and check the directories above it',
  ENOEXEC: 'begin the script with a line such as #!/bin/sh',
}

const FILE_HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'create the directory',
  ELOOP: 'give the real path: links are not followed',
  EINVAL: 'it must be a regular file',
  EACCES: "let the job's user write there",
}
