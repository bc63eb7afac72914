import { dirname } from 'node:path'
import { calendarsOf, versionOf, weightsOf } from '@kron/core'
import type { Calendars, Curves, Entry } from '@kron/host'

/** The calendars and weights files that the jobs of a job file name, as they were when the job file was read. */
export interface UsedFiles {
  /** The digests of the calendars. */
  readonly calendars: ReadonlyMap<string, string>
  /** The versions of the curves. */
  readonly curves: ReadonlyMap<string, string>
}

export function usedFilesOf(entries: readonly Entry[]): UsedFiles {
  const calendars = new Map<string, string>()
  const curves = new Map<string, string>()
  for (const { schedule } of entries) {
    for (const { name, digest } of calendarsOf(schedule)) calendars.set(name, digest)
    const weights = weightsOf(schedule)
    if (weights !== undefined) curves.set(weights.file, versionOf(weights.curve))
  }
  return { calendars, curves }
}

/** Whether the files, which lie in this directory, are still the same. */
export const areUnchanged = (
  used: UsedFiles,
  directory: string,
  calendars: Calendars,
  curves: Curves,
): boolean =>
  [...used.calendars].every(([name, digest]) => {
    const calendar = calendars.find(directory, name)
    return calendar.ok && calendar.value.digest === digest
  }) && [...used.curves].every(([file, version]) => versionOf(curves.find(directory, file).curve) === version)

/** One warning for each weights file that cannot be used. */
export function curveWarnings(entries: readonly Entry[], curves: Curves): string[] {
  const messages = new Set<string>()
  for (const entry of entries) {
    const weights = weightsOf(entry.schedule)
    const problem = weights && curves.find(dirname(entry.path), weights.file).problem
    if (problem !== undefined) messages.add(`${problem.message}; its jobs spread evenly over their windows`)
  }
  return [...messages]
}
