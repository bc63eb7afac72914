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
  /**
   * Made anew for every reading: what is refused beyond the format itself, such as users who do not exist now, and
   * with `--strict` what lint merely warns about.
   */
  readonly makeCheck: () => (entry: Entry) => KronError | undefined
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
    const check = this.options.makeCheck()
    const fresh = new Map<string, LoadedFile>()
    const refused: string[] = []
    const entries: Entry[] = []
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
    for (const [path, file] of fresh) {
      const found = [...file.errors, ...file.entries.flatMap(entry => check(entry) ?? [])]
      if (found.length > 0) refused.push(path)
      else for (const entry of file.entries) entries.push(entry)
      for (const error of found) errors.push(error)
    }
    if (entries.length > MOST_JOBS) {
      const message = `${entries.length} jobs are more than ${MOST_JOBS}`
      errors.push(new ValidationError(message, { component: 'configuration', operation: 'load' }))
    }
    this.loaded = fresh
    return { files: [...fresh.keys()], entries, errors, refused }
  }

  private load(path: string, sharing: Sharing): LoadedFile {
    const { followSymlinks, uid, gid } = this.options
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
    return { digest, entries, errors: faults.map(fault => jobFileError(fault, path)) }
  }
}

function filesIn(path: string): readonly string[] {
  return statSync(path).isDirectory() ? listJobFiles(path) : [path]
}

const problem = (path: string, message: string, hint: string): ConfigurationError =>
  new ConfigurationError(`${path}: ${message}`, { component: 'configuration', operation: 'load', hint })
