import { readdirSync, type Stats, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigurationError, type KronError, UTC } from '@kron/core'
import { type Accounts, hostAccounts } from '../account/accounts.ts'
import type { Entry } from '../job-file/entry.ts'
import { jobFileError } from '../job-file/fault.ts'
import { PathTrust } from '../job-file/path-trust.ts'
import { type ReadFile, readJobFile } from '../job-file/read.ts'
import { hostZones } from '../zone/host-zones.ts'
import type { CrontabEntry } from './entry.ts'
import { type Crontab, parseCrontab } from './parse.ts'
import { isRunPartsName, listScripts } from './scripts.ts'

/** The locations of crontabs, and how to read them. */
export interface CrontabSources {
  /** Crontabs with a user column, and directories of them such as /etc/cron.d. */
  readonly system: readonly string[]
  /** Directories of crontabs named by their users. */
  readonly users: readonly string[]
  /** Whether each script of /etc/cron.daily and the like is a job of its own. */
  readonly cronDirectories: boolean
  /** Nanoseconds of window for lines that say nothing else. */
  readonly windowNs: number
}

export interface Daemon {
  readonly uid: number
  readonly gid: number
}

/** All crontabs at one time. A file with a mistake is ignored, as in cron; the others run. */
export interface Crontabs {
  readonly files: readonly string[]
  readonly entries: readonly Entry[]
  readonly errors: readonly KronError[]
  /** Files that are ignored, with their owners: undefined for a system crontab. */
  readonly refused: readonly RefusedCrontab[]
}

export interface RefusedCrontab {
  readonly path: string
  readonly owner: string | undefined
}

interface CrontabFile {
  readonly path: string
  readonly owner: string | undefined
}

/** Other files that influence how crontabs are read. */
const AROUND = ['/etc/passwd', '/etc/group', '/etc/localtime']

/** Files that the daemon reads again whenever they change, and whose mistakes stop nothing but themselves. */
export interface LiveSource {
  readonly hasSources: boolean
  read(): Crontabs
  /** Changes whenever a file could have changed; cheap enough to compute every few seconds. */
  fingerprint(): string
}

/** Several sources as one. */
export const together = (sources: readonly LiveSource[]): LiveSource => ({
  hasSources: sources.some(source => source.hasSources),
  fingerprint: () => sources.map(source => source.fingerprint()).join('\n'),
  read() {
    const read = sources.map(source => source.read())
    return {
      files: read.flatMap(({ files }) => files),
      entries: read.flatMap(({ entries }) => entries),
      errors: read.flatMap(({ errors }) => errors),
      refused: read.flatMap(({ refused }) => refused),
    }
  },
})

export class CrontabReader implements LiveSource {
  readonly #sources: CrontabSources
  readonly #daemon: Daemon

  constructor(sources: CrontabSources, daemon: Daemon) {
    this.#sources = sources
    this.#daemon = daemon
  }

  get hasSources(): boolean {
    return this.#sources.system.length + this.#sources.users.length > 0
  }

  read(): Crontabs {
    const errors: KronError[] = []
    const refused: RefusedCrontab[] = []
    const entries: CrontabEntry[] = []
    const accounts = hostAccounts()
    const { files, problems } = this.#list()
    errors.push(...problems)
    const trust = new PathTrust({ ...this.#daemon, followSymlinks: true })
    for (const file of files) {
      const found = this.#readFile(file, accounts, trust)
      for (const error of found.errors) errors.push(error)
      for (const entry of found.entries) entries.push(entry)
      if (found.isRefused) refused.push(file)
    }
    return { files: files.map(({ path }) => path), entries, errors, refused }
  }

  fingerprint(): string {
    const { files } = this.#list()
    const directories = [...this.#sources.system, ...this.#sources.users].map(path => resolve(path))
    const scripts = this.#sources.cronDirectories ? this.#scriptDirectories(files) : []
    return [...AROUND, ...directories, ...scripts, ...files.map(({ path }) => path)].map(stampOf).join('\n')
  }

  #scriptDirectories(files: readonly CrontabFile[]): string[] {
    const found = new Set<string>()
    const note = (directory: string): readonly string[] => {
      found.add(directory)
      return []
    }
    for (const { path, owner } of files) {
      const read = readJobFile(path, { anyBytes: true })
      if (read.ok)
        parseCrontab(read.text, path, { ...this.#parseOptions(owner), findUser: anybody, listScripts: note })
    }
    return [...found].flatMap(directory => [
      directory,
      ...listScripts(directory).map(name => join(directory, name)),
    ])
  }

  #parseOptions(owner: string | undefined) {
    const { windowNs, cronDirectories } = this.#sources
    const zone = hostZones().find(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? UTC
    return {
      owner,
      zone,
      windowNs,
      uid: this.#daemon.uid,
      listScripts: cronDirectories ? listScripts : undefined,
    }
  }

  #readFile(file: CrontabFile, accounts: Accounts, trust: PathTrust): Found {
    const { path, owner } = file
    const read = readJobFile(path, { anyBytes: true })
    if (!read.ok) return refusal(path, read.fault.message, read.fault.hint)
    const unsafe =
      owner === undefined ? trust.problemsOf(path, read)[0] : this.#problemOf(owner, read, accounts)
    if (unsafe !== undefined) return refusal(path, unsafe.message, unsafe.hint)
    const findUser = (name: string) => accounts.findUser(name)
    return foundIn(parseCrontab(read.text, path, { ...this.#parseOptions(owner), findUser }), path)
  }

  /** Cron's rules for a user's file: a regular file of that user or root, and no other user can write to it. */
  #problemOf(owner: string, { stats, symlink }: Extract<ReadFile, { ok: true }>, accounts: Accounts) {
    const account = accounts.findUser(owner)
    if (account === undefined || account.name !== owner)
      return {
        message: `there is no user ${JSON.stringify(owner)}`,
        hint: 'remove the file, or create the user',
      }
    if (symlink || stats.nlink !== 1)
      return {
        message: 'it is a link, which a crontab of a user must not be',
        hint: 'install it with crontab',
      }
    if (stats.uid !== 0 && stats.uid !== account.uid)
      return { message: `it belongs to user ${stats.uid}, not to ${owner}`, hint: `chown ${owner} the file` }
    if ((stats.mode & 0o022) !== 0) return { message: 'others may write to it', hint: 'chmod 600 the file' }
    return undefined
  }

  #list(): { readonly files: readonly CrontabFile[]; readonly problems: readonly KronError[] } {
    const files: CrontabFile[] = []
    const problems: KronError[] = []
    const trust = new PathTrust({ ...this.#daemon, followSymlinks: true })
    for (const given of this.#sources.system) {
      const path = resolve(given)
      const stats = statOf(path)
      if (stats?.isDirectory()) {
        for (const name of namesIn(path).filter(isRunPartsName))
          if (statOf(join(path, name))?.isDirectory() !== true)
            files.push({ path: join(path, name), owner: undefined })
      } else if (stats !== undefined) files.push({ path, owner: undefined })
    }
    for (const given of this.#sources.users) {
      const path = resolve(given)
      const unsafe = trust.directoryProblems(path)[0]
      if (unsafe !== undefined) problems.push(problem(path, unsafe.message, unsafe.hint))
      else
        for (const name of namesIn(path))
          if (!name.startsWith('.') && !name.startsWith('tmp.'))
            files.push({ path: join(path, name), owner: name })
    }
    return { files, problems }
  }
}

interface Found {
  readonly entries: readonly CrontabEntry[]
  readonly errors: readonly KronError[]
  readonly isRefused: boolean
}

const foundIn = ({ entries, faults, refused }: Crontab, path: string): Found => ({
  entries,
  errors: [...faults, ...refused].map(fault => jobFileError(fault, path, 'parse crontab')),
  isRefused: faults.length > 0,
})

const refusal = (path: string, message: string, hint: string): Found => ({
  entries: [],
  errors: [problem(path, message, hint)],
  isRefused: true,
})

const problem = (path: string, message: string, hint: string): ConfigurationError =>
  new ConfigurationError(`${path}: ${message}`, {
    component: 'configuration',
    operation: 'load crontab',
    hint,
  })

/** A crontab that does not exist counts as none, as in cron. */
const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort()
  } catch {
    return []
  }
}

function stampOf(path: string): string {
  try {
    const { ino, size, ctimeNs, mtimeNs, mode } = statSync(path, { bigint: true })
    return `${path} ${ino} ${size} ${ctimeNs} ${mtimeNs} ${mode}`
  } catch {
    return `${path} -`
  }
}

const anybody = (name: string) => ({ name, uid: 0, gid: 0, home: '/', shell: '/bin/sh' })
