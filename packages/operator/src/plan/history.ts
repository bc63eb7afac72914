import type { KronJobSpec } from '../manifest/kronjob.ts'
import type { ObservedJob } from './job.ts'

const KEPT = { successful: 3, failed: 1 }

/** The finished Jobs beyond the history limits, oldest first. */
export function beyondHistory(jobs: readonly ObservedJob[], history: KronJobSpec['history']): ObservedJob[] {
  const limit = { ...KEPT, ...history }
  const finished = (succeeded: boolean): ObservedJob[] =>
    jobs
      .filter(job => job.finished?.succeeded === succeeded && !job.deleting)
      .sort((a, b) => a.created - b.created || (a.name < b.name ? -1 : 1))
  const surplus = (list: ObservedJob[], most: number): ObservedJob[] =>
    list.slice(0, Math.max(0, list.length - most))
  return [...surplus(finished(true), limit.successful), ...surplus(finished(false), limit.failed)]
}
