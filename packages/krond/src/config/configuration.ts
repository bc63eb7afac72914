import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigurationError, type KronError, type Parsed, ValidationError } from '@kron/core'
import {
  type CalendarParser,
  Calendars,
  type Crontabs,
  Curves,
  type Entry,
  entryPlace,
  type HostZones,
  hostZones,
  jobFileError,
  type LiveSource,
  listJobFiles,
  PathTrust,
  parseJobFile,
  type RefusedCrontab,
  readJobFile,
  type Salting,
  Sharing,
} from '@kron/host'
import { entriesIn } from './current-zone.ts'
import { areUnchanged, curveWarnings, type UsedFiles, usedFilesOf } from './used-files.ts'

export interface ConfigurationOptions {
  /** Job files and directories of them. */
  readonly paths: readonly string[]
  readonly followSymlinks: boolean
  /** Gives the jobs the salts of this host. */
  readonly salting: Salting
  readonly parseCalendar: CalendarParser
  /**
   * Made anew for every reading: refuses entries that the format allows, such as those of users who do not exist now,
   * and with `--strict` those that lint merely warns about.
   */
  readonly makeCheck: () => (entry: Entry) => KronError | undefined
  readonly uid: number
  readonly gid: number
  readonly crontabs?: LiveSource
  /** The zones of this host, unless others are given. */
  readonly zones?: HostZones
}

const MOST_JOBS = 1_000_000

interface LoadedFile {
  readonly digest: string
  readonly used: UsedFiles
  readonly entries: readonly Entry[]
  readonly errors: readonly KronError[]
}

export interface Configuration {
  readonly files: readonly string[]
  readonly entries: readonly Entry[]
  readonly errors: readonly KronError[]
  /** Files and directories with an error; `entries` holds their entries from the last reading without an error. */
  readonly refused: readonly string[]
  /** Mistakes of crontabs. They stop nothing but their own files. */
  readonly crontabErrors: readonly KronError[]
  readonly refusedCrontabs: readonly RefusedCrontab[]
  /** Weights files that cannot be used: their jobs spread evenly. */
  readonly warnings: readonly string[]
}

type JobFiles = Omit<Configuration, 'crontabErrors' | 'refusedCrontabs'>

/** Reads every job file; a file whose bytes did not change is not parsed again, and keeps its entries. */
export class ConfigurationReader {
  readonly #options: ConfigurationOptions
  readonly zones: HostZones
  #loaded: ReadonlyMap<string, LoadedFile> = new Map()
  /** By file, the entries that stay in force if the file has a mistake. */
  #accepted: ReadonlyMap<string, readonly Entry[]> = new Map()

  /** The entries of job files and crontabs, as they were read last. */
  #entries: readonly Entry[] = []
  #jobFiles: JobFiles = { files: [], entries: [], errors: [], refused: [], warnings: [] }

  /** Called with every configuration that is read. */
  onRead: (configuration: Configuration) => void = () => {}

  constructor(options: ConfigurationOptions) {
    this.#options = options
    this.zones = options.zones ?? hostZones()
  }

  /**
   * Gives the jobs the zones whose files the host has replaced since, and returns those zones. The job files are not
   * read: an update of the host must not pick up a half-finished edit.
   */
  rezone(): { readonly changed: readonly string[]; readonly entries: readonly Entry[] } {
    const changed = this.zones.refresh()
    if (changed.length > 0) {
      const renew = entriesIn(this.zones.find)
      const renewAll = (entries: readonly Entry[]): readonly Entry[] => entries.map(renew)
      this.#loaded = mapValues(this.#loaded, file => ({ ...file, entries: renewAll(file.entries) }))
      this.#accepted = mapValues(this.#accepted, renewAll)
      this.#jobFiles = { ...this.#jobFiles, entries: renewAll(this.#jobFiles.entries) }
      this.#entries = renewAll(this.#entries)
    }
    return { changed, entries: this.#entries }
  }

  /** Reads job files and crontabs. */
  read(): Configuration {
    this.rezone()
    this.#jobFiles = this.#readJobFiles()
    return this.readCrontabs()
  }

  /** Reads the crontabs again; job files stay as they were read last. */
  readCrontabs(): Configuration {
    const { files, entries, errors, refused, warnings } = this.#jobFiles
    const check = this.#options.makeCheck()
    const crontabs = this.#options.crontabs?.read() ?? NO_CRONTABS
    const sound: Entry[] = []
    const crontabErrors = [...crontabs.errors]
    const given = crontabs.entries.map(entriesIn(this.zones.find))
    for (const entry of this.#salted(given, crontabErrors)) {
      const error = check(entry)
      if (error === undefined) sound.push(entry)
      else crontabErrors.push(error)
    }
    this.#entries = sound.length === 0 ? entries : [...entries, ...sound]
    const configuration = {
      files: [...files, ...crontabs.files],
      entries: this.#entries,
      errors: [...errors, ...tooMany(entries.length + sound.length)],
      refused: [...refused, ...crontabs.refused.map(({ path }) => path)],
      crontabErrors,
      refusedCrontabs: crontabs.refused,
      warnings,
    }
    this.onRead(configuration)
    return configuration
  }

  #readJobFiles(): JobFiles {
    const sharing = new Sharing(this.zones.find)
    const trust = new PathTrust(this.#options)
    const calendars = new Calendars(this.#options.parseCalendar, trust)
    const curves = new Curves(trust)
    const check = this.#options.makeCheck()
    const fresh = new Map<string, LoadedFile>()
    const refused: string[] = []
    const errors: KronError[] = []
    for (const path of this.#options.paths) {
      const place = resolve(path)
      try {
        for (const file of filesIn(place))
          fresh.set(file, this.#load(file, sharing, trust, calendars, curves))
      } catch (cause) {
        for (const [file, known] of this.#loaded) if (isOf(place, file)) fresh.set(file, known)
        refused.push(place)
        errors.push(
          problem(
            path,
            (cause as NodeJS.ErrnoException).code === 'ENOENT'
              ? 'there is no such file or directory'
              : `cannot read: ${(cause as Error).message}`,
            'create it, or name another with --config',
          ),
        )
      }
    }
    const accepted = new Map<string, readonly Entry[]>()
    for (const [path, file] of fresh) {
      const found = [...file.errors]
      for (const entry of file.entries) {
        const error = check(entry)
        if (error !== undefined) found.push(error)
      }
      if (found.length > 0) refused.push(path)
      for (const error of found) errors.push(error)
      const sound = found.length > 0 ? (this.#accepted.get(path) ?? []) : file.entries
      accepted.set(path, sound)
    }
    const entries = [...accepted.values()].flat()
    this.#loaded = fresh
    this.#accepted = accepted
    const warnings = curveWarnings(entries, curves)
    return { files: [...fresh.keys()], entries, errors, refused, warnings }
  }

  #load(path: string, sharing: Sharing, trust: PathTrust, calendars: Calendars, curves: Curves): LoadedFile {
    const read = readJobFile(path)
    const unusable = read.ok ? trust.problemsOf(path, read) : [read.fault]
    if (!read.ok || unusable.length > 0) {
      const errors = unusable.map(each => problem(path, each.message, each.hint))
      return { digest: '', used: usedFilesOf([]), entries: [], errors }
    }
    const digest = createHash('sha256').update(read.text).digest('base64')
    const known = this.#loaded.get(path)
    if (
      known?.digest === digest &&
      known.errors.length === 0 &&
      areUnchanged(known.used, dirname(path), calendars, curves)
    )
      return known
    const { entries, faults } = parseJobFile(read.text, path, { sharing })
    const errors: KronError[] = faults.map(fault => jobFileError(fault, path))
    const salted = this.#salted(entries, errors)
    const complete = this.#expanded(salted, errors, entry => calendars.entry(entry))
    const weighted = complete.map(entry => curves.entry(entry))
    return { digest, used: usedFilesOf(weighted), entries: weighted, errors }
  }

  /** A salt that cannot be expanded on this host is a mistake of its job. */
  #salted(entries: readonly Entry[], errors: KronError[]): Entry[] {
    return this.#expanded(entries, errors, entry => this.#options.salting.entry(entry))
  }

  #expanded(
    entries: readonly Entry[],
    errors: KronError[],
    expand: (entry: Entry) => Parsed<Entry>,
  ): Entry[] {
    const sound: Entry[] = []
    for (const entry of entries) {
      const expanded = expand(entry)
      if (expanded.ok) {
        sound.push(expanded.value)
        continue
      }
      const { message, hint = '' } = expanded.faults[0]!
      errors.push(
        new ConfigurationError(message, {
          component: 'configuration',
          operation: 'load',
          hint,
          identity: entry.identity,
          place: entryPlace(entry),
        }),
      )
    }
    return sound
  }
}

const mapValues = <Value>(map: ReadonlyMap<string, Value>, change: (value: Value) => Value) =>
  new Map([...map].map(([key, value]) => [key, change(value)]))

const NO_CRONTABS: Crontabs = { files: [], entries: [], errors: [], refused: [] }

function tooMany(jobs: number): KronError[] {
  if (jobs <= MOST_JOBS) return []
  const message = `${jobs} jobs are more than ${MOST_JOBS}`
  return [new ValidationError(message, { component: 'configuration', operation: 'load' })]
}

function filesIn(path: string): readonly string[] {
  return statSync(path).isDirectory() ? listJobFiles(path) : [path]
}

const isOf = (path: string, file: string): boolean => file === path || dirname(file) === path

const problem = (path: string, message: string, hint: string): ConfigurationError =>
  new ConfigurationError(`${path}: ${message}`, { component: 'configuration', operation: 'load', hint })
