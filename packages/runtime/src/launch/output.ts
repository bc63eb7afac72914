import { close, constants, fstatSync, open } from 'node:fs'
import { basename, dirname, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { closeDescriptor, lastError, native } from '../native/native.ts'
import { findTool } from './executable.ts'
import type { LaunchSpec } from './launcher.ts'
import { reap } from './reaper.ts'
import { Refusal } from './refusal.ts'
import { duplicate, type Stream, spawn } from './spawn.ts'

const pipe2 = native<[ends: Int32Array, flags: number], number>('int pipe2(void *ends, int flags)')
const openFile = promisify(open)

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants
const O_PATH = 0x200000
const O_CLOEXEC = 0x80000
const FILE_MODE = 0o640

export interface OpenOutput {
  readonly stream: Stream
  /** Closes what was opened here; the child has its own copies by then. */
  close(): void
}

const nothingToClose = () => {}

/** Makes ready where a job's stdout (1) or stderr (2) goes. */
export async function openOutput(target: 1 | 2, spec: LaunchSpec): Promise<OpenOutput> {
  const output = target === 1 ? spec.stdout : spec.stderr
  switch (output.kind) {
    case 'inherit':
      return { stream: target, close: nothingToClose }
    case 'discard':
      return { stream: 'null', close: nothingToClose }
    case 'descriptor':
      return copyOf(output.fd)
    case 'file':
      return opened(await openLog(resolve(spec.cwd ?? '', output.path), spec.user !== undefined))
    case 'syslog':
      return startLogger(output.tag, target === 1 ? 'user.info' : 'user.warning')
  }
}

const opened = (fd: number): OpenOutput => ({ stream: fd, close: () => close(fd) })

/** A copy, so that crossing stdout and stderr works whatever their numbers are. */
function copyOf(fd: number): OpenOutput {
  const copy = attempt(`use descriptor ${fd}`, () => duplicate(fd))
  return { stream: copy, close: () => closeDescriptor(copy) }
}

/** `distrustful`: a link in the path would let the job's user choose which file root appends to. */
async function openLog(path: string, distrustful: boolean): Promise<number> {
  const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW
  try {
    const directory = distrustful ? await openDirectory(dirname(path)) : undefined
    try {
      const name = directory === undefined ? path : `/proc/self/fd/${directory}/${basename(path)}`
      // Somebody may have put a pipe there, which without O_NONBLOCK would wait for a reader.
      const fd = await openFile(name, flags | O_NONBLOCK, FILE_MODE)
      const stat = fstatSync(fd)
      if (stat.isFile() && (stat.nlink === 1 || !distrustful)) return fd
      close(fd)
      if (!distrustful && stat.isCharacterDevice()) return await openFile(name, flags)
      throw Object.assign(new Error('not a plain file'), { code: 'EINVAL' })
    } finally {
      if (directory !== undefined) close(directory)
    }
  } catch (error) {
    throw cannotOpen(path, error as NodeJS.ErrnoException)
  }
}

async function openDirectory(path: string): Promise<number> {
  let directory = await openFile('/', O_PATH | O_DIRECTORY)
  for (const name of path.split(sep).filter(Boolean)) {
    const parent = directory
    try {
      directory = await openFile(`/proc/self/fd/${parent}/${name}`, O_PATH | O_DIRECTORY | O_NOFOLLOW)
    } finally {
      close(parent)
    }
  }
  return directory
}

function cannotOpen(path: string, error: NodeJS.ErrnoException) {
  const hint =
    error.code === 'ELOOP' || error.code === 'ENOTDIR'
      ? 'a symbolic link is not followed: give the real path'
      : error.code === 'EINVAL'
        ? 'it must be a plain file with one name'
        : undefined
  return new Refusal(`cannot open the output file ${path}`, error.code ?? 'EIO', hint)
}

/** logger(1) outlives this process, so that a restart does not end the job by SIGPIPE. */
async function startLogger(tag: string, priority: string): Promise<OpenOutput> {
  const path = findTool('logger', 'output to syslog')
  const ends = new Int32Array(2)
  if (pipe2(ends, O_CLOEXEC) !== 0) throw new Refusal('cannot make a pipe to syslog', lastError())
  const [readEnd, writeEnd] = ends as unknown as [number, number]
  const spawned = await spawn({
    path,
    arguments: ['logger', '-t', tag, '-p', priority],
    environment: ['PATH=/usr/bin:/bin'],
    stdin: readEnd,
    stdout: 'null',
    stderr: 'null',
  })
  closeDescriptor(readEnd)
  if ('error' in spawned) {
    closeDescriptor(writeEnd)
    throw new Refusal(`cannot run ${path}`, spawned.error)
  }
  void reap(spawned.pid)
  return { stream: writeEnd, close: () => closeDescriptor(writeEnd) }
}

function attempt<T>(what: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new Refusal(`cannot ${what}`, (error as NodeJS.ErrnoException).code ?? 'EIO')
  }
}
