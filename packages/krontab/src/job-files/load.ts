import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { plural, withProgress } from '@kron/cli'
import { weightsOf } from '@kron/core'
import {
  CrontabReader,
  type Entry,
  type JobFile,
  listJobFiles,
  PathTrust,
  parseJobFile,
  type ReadFile,
  readJobFile,
  Sharing,
} from '@kron/host'
import type { CommandContext } from '../context/command-context.ts'
import { badInput, isRefusal, type Refusal, requireValue } from '../context/refusal.ts'
import { configPaths, firstConfigDirectory } from '../daemon/places.ts'

export interface FileOptions {
  readonly file: readonly string[]
  readonly as?: string | undefined
  readonly 'system-crontab'?: readonly string[]
  readonly 'user-crontabs'?: readonly string[]
}

/** The paths of the files that a command works on, as they were given or found. */
export function jobFilePaths(context: CommandContext, { file }: FileOptions): readonly string[] {
  if (file.length > 0) return [...new Set(file)]
  return configPaths(context).flatMap(path => jobFilesAt(resolve(context.cwd, path)))
}

function jobFilesAt(path: string): string[] {
  try {
    return statSync(path).isDirectory() ? listJobFiles(path) : [path]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why =
      code === 'ENOENT' ? 'it does not exist' : code === 'EACCES' ? 'permission is denied' : String(code)
    throw badInput(`cannot read the config directory ${path}: ${why}`, 'name files with --file')
  }
}

/** A file that can be read; messages call it `name`. */
export function requireFile(path: string, name: string): Extract<ReadFile, { ok: true }> {
  const read = readJobFile(path)
  if (read.ok) return read
  throw badInput(`${name}: ${read.fault.message}`, read.fault.hint)
}

/** The absolute path that identifies the jobs of a file. */
export function identityPath(context: CommandContext, path: string, { as }: Pick<FileOptions, 'as'>): string {
  const absolute = resolve(context.cwd, path)
  return as === undefined ? absolute : join(resolve(context.cwd, as), basename(absolute))
}

const MOST_SHOWN = 5

/** The path trust of a krond that runs as this user. */
export const trustOf = ({ uid, gid }: CommandContext, followSymlinks = false): PathTrust =>
  new PathTrust({ uid, gid, followSymlinks })

/**
 * The entries of valid files; an invalid file is refused, as in krond; with `trust`, also an unsafe one. With
 * `onRefusal`, the other files are still loaded.
 */
export function loadEntries(
  context: CommandContext,
  options: FileOptions,
  trust?: PathTrust,
  onRefusal?: (refusal: Refusal) => void,
): Entry[] {
  const sharing = new Sharing()
  const entries: Entry[] = loadCrontabs(context, options, trust === undefined ? 0 : context.uid)
  const isAboutCrontabs = hasCrontabs(options) && options.file.length === 0
  const own = options.file.length === 0 ? (context.ownCrontab ?? []) : []
  for (const entry of own) entries.push(entry)
  for (const path of isAboutCrontabs ? [] : pathsBeside(own, context, options)) {
    try {
      const file = loadFile(context, path, identityPath(context, path, options), sharing, trust)
      for (const entry of file.entries) entries.push(entry)
    } catch (error) {
      if (onRefusal === undefined || !isRefusal(error)) throw error
      onRefusal(error)
    }
  }
  return entries
}

/** A user with a crontab needs no job files. */
function pathsBeside(
  own: readonly Entry[],
  context: CommandContext,
  options: FileOptions,
): readonly string[] {
  if (own.length > 0 && !existsSync(firstConfigDirectory(context))) return []
  return jobFilePaths(context, options)
}

const hasCrontabs = (options: FileOptions): boolean =>
  (options['system-crontab'] ?? []).length + (options['user-crontabs'] ?? []).length > 0

/** The lines of crontabs as a krond of the user `uid` would run them. */
function loadCrontabs(context: CommandContext, options: FileOptions, uid: number): Entry[] {
  if (!hasCrontabs(options)) return []
  const absolute = (paths: readonly string[] = []): string[] => paths.map(path => resolve(context.cwd, path))
  const sources = {
    system: absolute(options['system-crontab']),
    users: absolute(options['user-crontabs']),
    cronDirectories: false,
    windowNs: 0,
  }
  const { entries, errors } = new CrontabReader(sources, { uid, gid: context.gid }).read()
  // krond ignores such files and runs the others.
  for (const { place, message } of errors) {
    const where = place === undefined ? '' : `${place.file}:${place.line}: `
    context.err(`warning: ${where}${message}\n`)
  }
  return [...entries]
}

function loadFile(
  context: CommandContext,
  path: string,
  identity: string,
  sharing: Sharing,
  trust: PathTrust | undefined,
): JobFile {
  const absolute = resolve(context.cwd, path)
  const read = requireFile(absolute, path)
  const unsafe = trust?.problemsOf(absolute, read)[0]
  if (unsafe !== undefined) throw badInput(`${path}: ${unsafe.message}`, unsafe.hint)
  const file = withProgress(context, `reading ${basename(path)}`, progress =>
    parseJobFile(read.text, identity, { sharing, progress }),
  )
  if (file.faults.length > 0) throw invalid(path, file)
  const entries = file.entries.map(entry => withFiles(context, entry, dirname(absolute)))
  warnOfWeights(context, entries, dirname(absolute))
  return { ...file, entries }
}

/** The entry with the calendars and the weights beside its file. */
function withFiles(context: CommandContext, entry: Entry, directory: string): Entry {
  const complete = requireValue(context.calendars.entry(entry, directory), `${entry.name}: `)
  return context.curves.entry(complete, directory)
}

/** Jobs whose weights file cannot be used spread evenly, as in krond. */
function warnOfWeights({ curves, err }: CommandContext, entries: readonly Entry[], directory: string): void {
  const problems = entries.flatMap(({ schedule }) => {
    const weights = weightsOf(schedule)
    return (weights && curves.find(directory, weights.file).problem?.message) ?? []
  })
  for (const message of new Set(problems)) err(`warning: ${message}; its jobs spread evenly\n`)
}

function invalid(path: string, { faults }: JobFile): Refusal {
  const shown = faults
    .slice(0, MOST_SHOWN)
    .map(({ line, at, message }) => `\n  ${path}:${line}:${at + 1}: ${message}`)
  const message = `${path} has ${plural(faults.length, 'error')}:${shown.join('')}`
  return badInput(message, `krontab lint --file ${path} shows them all`)
}
