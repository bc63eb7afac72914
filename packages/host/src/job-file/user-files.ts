import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError, calendarsOf, type KronError, weightsOf } from '@kron/core'
import type { UserAccount } from '../account/accounts.ts'
import type { Crontabs, LiveSource, RefusedCrontab } from '../crontab/reader.ts'
import { mayUseCrontab } from '../crontab/spool.ts'
import { Entry, type Settings } from './entry.ts'
import { entryPlace, jobFileError } from './fault.ts'
import { parseJobFile } from './parse.ts'
import { readOpenFile } from './read.ts'

/** The way from a home directory to its job files. */
const BELOW_HOME = ['.config', 'krond'] as const
/** Bounds on what one user can make the daemon read and keep. */
const MOST_FILES = 100
const MOST_JOBS = 1_000
const MOST_BYTES = 1024 * 1024

const KEPT_BYTES = 64 * 1024
const DISCARD = { kind: 'discard' } as const

export interface UserFilesOptions {
  /** The users whose files are read. */
  readonly listUsers: () => readonly UserAccount[]
  /** Where cron.allow and cron.deny lie. */
  readonly rulesDirectory?: string
}

/**
 * The job files in `~/.config/krond` of the host's users, each run as its user. The users control everything below
 * their homes, so no link is followed there: each name is opened on its own, relative to the directory before it.
 */
export class UserJobFiles implements LiveSource {
  readonly #options: UserFilesOptions
  readonly hasSources = true

  constructor(options: UserFilesOptions) {
    this.#options = options
  }

  read(): Crontabs {
    const files: string[] = []
    const entries: Entry[] = []
    const errors: KronError[] = []
    const refused: RefusedCrontab[] = []
    for (const user of this.#users()) {
      const found = readFilesOf(user)
      for (const { path } of found) files.push(path)
      for (const file of found) {
        for (const error of file.errors) errors.push(error)
        if (file.errors.length > 0) refused.push({ path: file.path, owner: user.name })
        else for (const entry of file.entries) entries.push(entry)
      }
    }
    return { files, entries, errors, refused }
  }

  /** Metadata alone: nothing is read through a link. */
  fingerprint(): string {
    const stamps: string[] = []
    for (const { home } of this.#users()) {
      const directory = join(home, ...BELOW_HOME)
      const paths = [directory, ...namesIn(directory).map(name => join(directory, name))]
      stamps.push(...paths.map(stampOf))
    }
    return stamps.join('\n')
  }

  #users(): readonly UserAccount[] {
    const { listUsers, rulesDirectory } = this.#options
    return listUsers().filter(user => mayUseCrontab(user, rulesDirectory))
  }
}

interface FoundFile {
  readonly path: string
  readonly entries: readonly Entry[]
  readonly errors: readonly KronError[]
}

/** All job files of a user; a directory that cannot be trusted counts as one file with a mistake. */
function readFilesOf(user: UserAccount): FoundFile[] {
  const open: number[] = []
  let path = user.home
  try {
    open.push(openSync(path, DIRECTORY))
    for (const name of BELOW_HOME) {
      path = join(path, name)
      open.push(openSync(`/proc/self/fd/${open.at(-1)}/${name}`, DIRECTORY | constants.O_NOFOLLOW))
      const problem = problemOf(fstatSync(open.at(-1)!), user)
      if (problem !== undefined) return [broken(path, problem, `make it yours alone: chmod go-w ${path}`)]
    }
    const names = namesIn(`/proc/self/fd/${open.at(-1)}`)
    if (names.length > MOST_FILES)
      return [broken(path, `it has more than ${MOST_FILES} job files`, 'put several jobs into one file')]
    let room = MOST_JOBS
    return names.map(name => {
      const file = readFile(`/proc/self/fd/${open.at(-1)}/${name}`, join(path, name), user, room)
      room -= file.entries.length
      return file
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Most users have no job files. A home that root may not enter, as on NFS, has none for krond.
    if (code === 'ENOENT' || code === 'EACCES') return []
    const why = code === 'ELOOP' || code === 'ENOTDIR' ? 'it is a link or no directory' : `${code}`
    return [broken(path, why, 'make it a directory of your own')]
  } finally {
    for (const descriptor of open) closeSync(descriptor)
  }
}

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK

function readFile(from: string, path: string, user: UserAccount, room: number): FoundFile {
  let descriptor: number | undefined
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants
    descriptor = openSync(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return broken(path, 'it is not a regular file', 'write a plain file')
    if (stats.uid !== user.uid || stats.nlink !== 1)
      return broken(path, 'it is a link, or belongs to somebody else', 'write a file of your own')
    const problem = problemOf(stats, user)
    if (problem !== undefined) return broken(path, problem, `chmod go-w ${path}`)
    if (stats.size > MOST_BYTES) return broken(path, 'it is larger than 1 MiB', 'split it')
    const read = readOpenFile(descriptor, stats)
    if (!read.ok) return broken(path, read.fault.message, read.fault.hint)
    return parsed(read.text, path, user, room)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ELOOP' ? 'it is a symbolic link' : `it cannot be read: ${code}`
    return broken(path, why, 'write a plain file of your own')
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Whether somebody else could change it. With an ACL, the group bits are its mask. */
function problemOf(stats: Stats, { uid }: UserAccount): string | undefined {
  if (stats.uid !== uid && stats.uid !== 0) return `it belongs to user ${stats.uid}`
  return (stats.mode & 0o022) === 0 ? undefined : 'others may write to it'
}

function parsed(text: string, path: string, user: UserAccount, room: number): FoundFile {
  const { entries, faults } = parseJobFile(text, path)
  const errors: KronError[] = faults.map(fault => jobFileError(fault, path))
  for (const entry of entries) {
    const why = objectionTo(entry)
    if (why !== undefined) errors.push(objection(entry, why))
  }
  if (entries.length > room)
    return broken(path, `the user has more than ${MOST_JOBS} jobs`, 'remove some of them')
  return { path, entries: entries.map(entry => asJobOf(user, entry)), errors }
}

/** Limits that krond sets before it gives up its rights, so it could raise them. */
const LIMITS = ['nofile', 'nproc', 'fsize', 'core'] as const

/** Fields by which a user would use rights of the daemon. */
function objectionTo({ settings, schedule }: Entry): string | undefined {
  const { user, group, groups, inheritEnv, nice, notify, ping } = settings
  if (user !== null || group !== null || groups !== null)
    return 'user=, group= and groups= are not allowed in a file of a user: the job runs as its owner'
  if (inheritEnv === true) return 'inherit_env=true would show the environment of the daemon'
  if (nice !== null && nice < 0) return 'a negative nice= needs root'
  if (LIMITS.some(limit => settings[limit] !== null))
    return `${LIMITS.join('=, ')}= are set as root: use ulimit in the command`
  if (notify?.some(target => target.kind !== 'mail') || ping !== null)
    return 'notify= may name mail: only, and ping= is not allowed: krond would act for you as root'
  if (calendarsOf(schedule).length > 0 || weightsOf(schedule) !== undefined)
    return 'calendars and weights beside the file are not read for users'
  return undefined
}

/** The same conditions as for a crontab of the user: own groups, clean environment, home directory. */
function asJobOf({ name, home }: UserAccount, entry: Entry): Entry {
  const { identity, schedule, command, shell, description, line } = entry
  const { cwd, stdout, stderr, outputKeep } = entry.settings
  const settings: Settings = {
    ...entry.settings,
    user: name,
    cwd: cwd ?? home,
    // The log is the administrator's; the user sees the kept output.
    stdout: stdout.kind === 'inherit' ? DISCARD : stdout,
    stderr: stderr.kind === 'inherit' ? DISCARD : stderr,
    outputKeep: Math.min(outputKeep ?? KEPT_BYTES, MOST_BYTES),
  }
  return new Entry(identity, schedule, command, shell, settings, description, line)
}

const objection = (entry: Entry, message: string): KronError =>
  new ConfigurationError(message, {
    component: 'configuration',
    operation: 'load job file of a user',
    identity: entry.identity,
    hint: 'leave it out',
    place: entryPlace(entry),
  })

const broken = (path: string, message: string, hint: string): FoundFile => ({
  path,
  entries: [],
  errors: [
    new ConfigurationError(`${path}: ${message}`, {
      component: 'configuration',
      operation: 'load job file of a user',
      hint,
    }),
  ],
})

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter(name => name.endsWith('.kron') && !name.startsWith('.'))
      .sort()
  } catch {
    return []
  }
}

function stampOf(path: string): string {
  try {
    const { ino, size, ctimeNs, mode, uid } = lstatSync(path, { bigint: true })
    return `${path} ${ino} ${size} ${ctimeNs} ${mode} ${uid}`
  } catch {
    return `${path} -`
  }
}
