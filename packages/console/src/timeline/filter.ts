import type { JobRecord, LastOutcome } from '../api/records.ts'

export const SHOWN = ['all', 'running', 'troubled', 'suspended'] as const
export type Shown = (typeof SHOWN)[number]

export const shownOf = (parameters: Readonly<Record<string, string>>): Shown =>
  SHOWN.find(each => each === parameters['show']) ?? 'all'

export interface Facts {
  readonly running: ReadonlySet<string>
  readonly lastOf: (job: JobRecord) => LastOutcome | null
}

/** Every word must occur in name, file, schedule or description. */
export function filterJobs(
  jobs: readonly JobRecord[],
  query: string,
  shown: Shown,
  facts: Facts,
): readonly JobRecord[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  if (words.length === 0 && shown === 'all') return jobs
  return jobs.filter(job => isShown(job, shown, facts) && matches(job, words))
}

const matches = (job: JobRecord, words: readonly string[]): boolean => {
  if (words.length === 0) return true
  const text = `${job.identity} ${job.schedule} ${job.description}`.toLowerCase()
  return words.every(word => text.includes(word))
}

function isShown(job: JobRecord, shown: Shown, { running, lastOf }: Facts): boolean {
  switch (shown) {
    case 'all':
      return true
    case 'running':
      return running.has(job.identity)
    case 'suspended':
      return job.suspended
    case 'troubled': {
      const last = lastOf(job)
      return last !== null && (last.failed || last.outcome !== 'executed')
    }
  }
}
