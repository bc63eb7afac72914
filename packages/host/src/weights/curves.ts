import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Curve, parseCurve, type Schedule, weightsOf, withCurve } from '@kron/core'
import type { Entry } from '../job-file/entry.ts'
import type { PathTrust } from '../job-file/path-trust.ts'
import { readJobFile } from '../job-file/read.ts'

/** Where the weights files of the job files in a directory lie. */
export const weightsDirectory = (directory: string): string => join(directory, 'weights')

const LARGEST = 10 * 1024 * 1024

/** A curve, and the reason why its file cannot be used. */
export interface FoundCurve {
  readonly curve: Curve
  readonly problem?: { readonly message: string; readonly hint: string }
}

/** Gives jobs the curves of their weights, from `weights/` beside their files. A file that cannot be used is no error. */
export class Curves {
  readonly #trust: PathTrust | undefined
  #found = new Map<string, FoundCurve>()
  #schedules = new Map<string, Map<Schedule, Schedule>>()

  /** With `trust`, files that others could change are not used. */
  constructor(trust?: PathTrust) {
    this.#trust = trust
  }

  /** The entry with its curve from `given`, or from beside its job file; the same entry if it has no weights. */
  entry(entry: Entry, given?: string): Entry {
    if (weightsOf(entry.schedule) === undefined) return entry
    const directory = given ?? dirname(entry.path)
    const known = this.#schedules.get(directory) ?? new Map<Schedule, Schedule>()
    this.#schedules.set(directory, known)
    const schedule =
      known.get(entry.schedule) ?? withCurve(entry.schedule, file => this.find(directory, file).curve)
    known.set(entry.schedule, schedule)
    return entry.withSchedule(schedule)
  }

  /** The curve of this name beside the job files of a directory. Each file is read once. */
  find(directory: string, file: string): FoundCurve {
    const path = join(weightsDirectory(directory), `${file}.csv`)
    const found = this.#found.get(path) ?? this.#read(path)
    this.#found.set(path, found)
    return found
  }

  #read(path: string): FoundCurve {
    if (!existsSync(path))
      return unusable('missing', `there is no file ${path}`, 'write lines such as 22:00,3 into it')
    const read = readJobFile(path, { anyBytes: true })
    if (!read.ok) return unusable('unreadable', `${path}: ${read.fault.message}`, 'name a text file')
    const unsafe = this.#trust?.problemsOf(path, read)[0]
    if (unsafe !== undefined) return unusable('unreadable', `${path}: ${unsafe.message}`, unsafe.hint)
    if (read.text.length > LARGEST)
      return unusable('unreadable', `${path} is larger than 10 MB`, 'leave out steps of the past')
    const digest = createHash('sha256').update(read.text).digest('hex')
    const steps = parseCurve(read.text)
    if (steps.ok) return { curve: { digest, steps: steps.value } }
    const { message, hint = '', at } = steps.faults[0]!
    const line = read.text.slice(0, at).split('\n').length
    return unusable('unreadable', `${path}:${line}: ${message}`, hint, digest)
  }
}

const unusable = (
  steps: 'missing' | 'unreadable',
  message: string,
  hint: string,
  digest = '',
): FoundCurve => ({
  curve: { digest, steps },
  problem: { message, hint },
})
