import { dirname } from 'node:path'
import { calendarDigests, versionOf, weightsOf } from '@kron/core'
import type { Calendars, Curves, Entry } from '@kron/host'

/** The calendars and weights files that the jobs of a job file name, as they were when the job file was read. */
export interface UsedFiles {
  /** The digests of the calendars. */
  readonly calendars: Readonly<Record<string, string>>
  /** The versions of the curves. */
  readonly curves: Readonly<Record<string, string>>
}

export function usedFilesOf(entries: readonly Entry[]): UsedFiles {
  const weights = entries.flatMap(({ schedule }) => weightsOf(schedule) ?? [])
  return {
    calendars: Object.assign({}, ...entries.map(entry => calendarDigests(entry.schedule) ?? {})),
    curves: Object.fromEntries(weights.map(({ file, curve }) => [file, versionOf(curve)])),
  }
}

/** Whether the files, which lie in this directory, are still the same. */
export const areUnchanged = (
  used: UsedFiles,
  directory: string,
  calendars: Calendars,
  curves: Curves,
): boolean =>
  Object.entries(used.calendars).every(([name, digest]) => {
    const calendar = calendars.find(directory, name)
    return calendar.ok && calendar.value.digest === digest
  }) &&
  Object.entries(used.curves).every(
    ([file, version]) => versionOf(curves.find(directory, file).curve) === version,
  )

/** One warning for each weights file that cannot be used. */
export function curveWarnings(entries: readonly Entry[], curves: Curves): string[] {
  const messages = entries.flatMap(({ schedule, path }) => {
    const weights = weightsOf(schedule)
    const problem = weights && curves.find(dirname(path), weights.file).problem
    return problem === undefined ? [] : [`${problem.message}; its jobs spread evenly over their windows`]
  })
  return [...new Set(messages)]
}
