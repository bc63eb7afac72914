import { type Entry, parseJobFile } from '@kron/host'

export const STATE_DIR = '/state'
export const JOB_FILE = '/jobs.kron'

/** The entries of a job file, or undefined if it has mistakes. */
export function parseLines(lines: readonly string[]): readonly Entry[] | undefined {
  const { entries, faults } = parseJobFile(lines.join('\n'), JOB_FILE)
  return faults.length > 0 ? undefined : entries
}

/** The entries of a job file that is known to be valid. */
export function entriesOf(lines: readonly string[]): readonly Entry[] {
  const { entries, faults } = parseJobFile(lines.join('\n'), JOB_FILE)
  if (faults.length > 0) throw new Error(faults.map(fault => `${fault.line}: ${fault.message}`).join('\n'))
  return entries
}
