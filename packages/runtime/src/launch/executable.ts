import { accessSync, constants, type Stats, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { Refusal } from './refusal.ts'

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

/** The file a command word means: itself if it has a slash, otherwise the first match in the child's PATH. */
export function findExecutable(word: string, path: string | undefined, cwd: string | undefined): string {
  if (word.includes('/')) return word
  if (word === '') throw new Refusal('the command is empty', 'ENOENT')
  let code = 'ENOENT'
  for (const directory of (path ?? DEFAULT_PATH).split(':')) {
    const candidate = resolve(cwd ?? '/', directory, word)
    if (!statOf(candidate)?.isFile()) continue
    if (isExecutable(candidate)) return candidate
    code = 'EACCES'
  }
  throw new Refusal(`cannot find "${word}" in PATH (${path ?? DEFAULT_PATH})`, code, 'give the absolute path')
}

/** A program of the host that the launcher itself needs. */
export function findTool(name: string, purpose: string): string {
  try {
    return findExecutable(name, process.env.PATH, undefined)
  } catch {
    throw new Refusal(`cannot find ${name}(1), which ${purpose} needs`, 'ENOENT', 'install util-linux')
  }
}

/** Why the kernel would not start a program, in more words than its errno. */
export function explainRefusal(path: string, cwd: string | undefined, code: string): string | undefined {
  if (cwd !== undefined && !statOf(cwd)?.isDirectory()) {
    return `its working directory ${cwd} does not exist`
  }
  const stat = statOf(resolve(cwd ?? '/', path))
  switch (code) {
    case 'ENOENT':
      return stat === undefined ? 'there is no such file' : 'its interpreter or loader does not exist'
    case 'EACCES':
      return stat?.isFile() ? 'it is not executable' : 'it is not a program'
    case 'ENOEXEC':
      return 'it is neither a binary for this machine nor a script with #!'
    case 'EAGAIN':
      return 'a limit on the number of processes is reached'
    case 'E2BIG':
      return 'its arguments and environment are too long'
    default:
      return undefined
  }
}

export const exists = (path: string, cwd: string | undefined): boolean =>
  statOf(resolve(cwd ?? '/', path)) !== undefined

/** What /proc calls a process after it has executed this file. */
export const programName = (path: string): string => Buffer.from(basename(path)).toString('latin1', 0, 15)

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
