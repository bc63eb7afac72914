import { findTool, programName } from './executable.ts'
import { canChangeDirectory } from './file-actions.ts'
import type { LaunchSpec, UserIds } from './launcher.ts'

/**
 * posix_spawn cannot change user, umask or limits in the child, and changing them here would expose this process
 * to the job's user or disturb its other threads. So helpers do it in the child and then become the command.
 */
export interface Preparation {
  /** What to execute: the helpers' words, then the command's. */
  readonly words: readonly string[]
  /** Names of the helpers as /proc shows them, in the order in which the process becomes them. */
  readonly helpers: readonly string[]
  /** `NAME=value` of every variable that the first program gets. */
  readonly environment: readonly string[]
}

const SHELL = '/bin/sh'
/** Variables that shells add to the environment by themselves. */
const SHELL_VARIABLES = ['PWD', 'OLDPWD', 'SHLVL']
/** Variables that could make a helper that is still root load code from places the job's user can write to. */
const LOADER_VARIABLE = /^(LD_\w*|MALLOC_\w*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH)=/

export function prepare(
  command: readonly string[],
  environment: readonly string[],
  spec: LaunchSpec,
): Preparation {
  const late = spec.user === undefined ? [] : environment.filter(entry => LOADER_VARIABLE.test(entry))
  const helpers = [shellWords(spec), setprivWords(spec.user), exportWords(late)].filter(
    words => words.length > 0,
  )
  return {
    words: [...helpers.flat(), ...command],
    helpers: helpers.map(words => programName(words[0]!)),
    environment: late.length === 0 ? environment : environment.filter(entry => !late.includes(entry)),
  }
}

export const leavesDirectoryToShell = (spec: LaunchSpec): boolean =>
  spec.cwd !== undefined && !canChangeDirectory()

function shellWords(spec: LaunchSpec): string[] {
  const { umask, limits = {}, environment } = spec
  const steps: string[] = []
  if (leavesDirectoryToShell(spec)) steps.push('cd -- "$1"', 'shift')
  if (umask !== undefined) steps.push(`umask ${umask.toString(8).padStart(3, '0')}`)
  if (limits.nofile !== undefined) steps.push(`ulimit -n ${limits.nofile}`)
  // bash calls it -u, dash and busybox -p.
  if (limits.nproc !== undefined) {
    steps.push(`{ ulimit -u ${limits.nproc} 2>/dev/null || ulimit -p ${limits.nproc}; }`)
  }
  if (steps.length === 0) return []
  const added = SHELL_VARIABLES.filter(name => !(name in environment))
  if (added.length > 0) steps.push(`unset ${added.join(' ')}`)
  const script = [...steps, 'exec "$@"'].join(' && ')
  return [SHELL, '-c', script, 'sh', ...(leavesDirectoryToShell(spec) ? [spec.cwd!] : [])]
}

function setprivWords(user: UserIds | undefined): string[] {
  if (user === undefined) return []
  const groups = user.groups?.length ? `--groups=${user.groups.join(',')}` : '--clear-groups'
  const setpriv = findTool('setpriv', 'a job of another user')
  return [setpriv, `--reuid=${user.uid}`, `--regid=${user.gid}`, groups, '--']
}

function exportWords(entries: readonly string[]): string[] {
  if (entries.length === 0) return []
  const script = 'while [ "$1" != -- ]; do export "$1" || exit; shift; done; shift; exec "$@"'
  return [SHELL, '-c', script, 'sh', ...entries, '--']
}
