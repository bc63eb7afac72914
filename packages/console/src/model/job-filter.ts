import type { JobRecord } from '../api/records.ts'
import type { JobState } from './job-state.ts'

export const SHOWN = ['all', 'failing', 'running', 'paused'] as const
export type Shown = (typeof SHOWN)[number]

export const shownOf = (parameters: Readonly<Record<string, string>>): Shown =>
  SHOWN.find(each => each === parameters['show']) ?? 'all'

/** Every word must occur in identity, schedule or description. */
export function filterJobs(
  jobs: readonly JobRecord[],
  query: string,
  shown: Shown,
  stateOf: (job: JobRecord) => JobState,
): readonly JobRecord[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  if (words.length === 0 && shown === 'all') return jobs
  return jobs.filter(job => isShown(stateOf, job, shown) && matches(job, words))
}

const matches = (job: JobRecord, words: readonly string[]): boolean => {
  if (words.length === 0) return true
  const text = `${job.identity} ${job.schedule} ${job.description}`.toLowerCase()
  return words.every(word => text.includes(word))
}

function isShown(stateOf: (job: JobRecord) => JobState, job: JobRecord, shown: Shown): boolean {
  if (shown === 'all') return true
  const state = stateOf(job)
  return state === shown || (shown === 'paused' && state === 'suspended')
}
