import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigurationError, type KronError, ValidationError } from '@kron/core'
import {
  type Entry,
  jobFileError,
  listJobFiles,
  parseJobFile,
  readJobFile,
  Sharing,
  safetyProblems,
} from '@kron/krontab/format'

export interface ConfigurationOptions {
  /** Job files and directories of them. */
  readonly paths: readonly string[]
  readonly followSymlinks: boolean
  /** What is refused beyond the format itself: unknown users, and with `--strict` what lint merely warns about. */
  readonly check: (entry: Entry) => KronError | undefined
  readonly uid: number
  readonly gid: number
}

export const MOST_JOBS = 1_000_000

interface LoadedFile {
  readonly digest: string
  readonly entries: readonly Entry[]
  readonly errors: readonly KronError[]
}

export interface Configuration {
  readonly files: readonly string[]
  readonly entries: readonly Entry[]
  readonly errors: readonly KronError[]
  /** Files with an error; their sound entries are not among `entries`. */
  readonly refused: readonly string[]
}

/** Reads every job file; a file whose bytes did not change is not parsed again, and keeps its entries. */
export class ConfigurationReader {
  private readonly options: ConfigurationOptions
  private loaded = new Map<string, LoadedFile>()

  constructor(options: ConfigurationOptions) {
    this.options = options
  }

  read(): Configuration {
    const sharing = new Sharing()
    const fresh = new Map<string, LoadedFile>()
    const errors: KronError[] = []
    for (const path of this.options.paths) {
      try {
        for (const file of filesIn(resolve(path))) fresh.set(file, this.load(file, sharing))
      } catch (cause) {
        errors.push(
          problem(
            path,
            `cannot read: ${(cause as Error).message}`,
            'create it, or name another with --config',
          ),
        )
      }
    }
    const sound = [...fresh.values()].filter(file => file.errors.length === 0)
    const entries = sound.flatMap(file => file.entries)
    errors.push(...[...fresh.values()].flatMap(file => file.errors))
    if (entries.length > MOST_JOBS) {
      const message = `${entries.length} jobs are more than ${MOST_JOBS}`
      errors.push(new ValidationError(message, { component: 'configuration', operation: 'load' }))
    }
    this.loaded = fresh
    const refused = [...fresh].filter(([, file]) => file.errors.length > 0).map(([path]) => path)
    return { files: [...fresh.keys()], entries, errors, refused }
  }

  private load(path: string, sharing: Sharing): LoadedFile {
    const { followSymlinks, uid, gid, check } = this.options
    const read = readJobFile(path)
    if (!read.ok)
      return { digest: '', entries: [], errors: [problem(path, read.fault.message, read.fault.hint)] }
    const unsafe = safetyProblems(read.stats, read.symlink, { uid, gid, followSymlinks })
    if (unsafe.length > 0) {
      const errors = unsafe.map(each => problem(path, each.message, each.hint.replace('FILE', path)))
      return { digest: '', entries: [], errors }
    }
    const digest = createHash('sha256').update(read.text).digest('base64')
    const known = this.loaded.get(path)
    if (known?.digest === digest) return known
    const { entries, faults } = parseJobFile(read.text, path, { sharing })
    const errors = [
      ...faults.map(fault => jobFileError(fault, path)),
      ...entries.flatMap(entry => check(entry) ?? []),
    ]
    return { digest, entries, errors }
  }
}

function filesIn(path: string): readonly string[] {
  return statSync(path).isDirectory() ? listJobFiles(path) : [path]
}

const problem = (path: string, message: string, hint: string): ConfigurationError =>
  new ConfigurationError(`${path}: ${message}`, { component: 'configuration', operation: 'load', hint })
