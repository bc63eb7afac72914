import type { Cache } from '../cluster/cache.ts'
import { type KronJob, keyOf } from '../manifest/kronjob.ts'
import { namesFiles } from '../manifest/schedule-files.ts'
import { isAhead } from '../plan/announcement.ts'
import { mayBeCollected } from '../plan/intent.ts'
import type { ObservedJob } from '../plan/job.ts'
import type { Observed } from '../plan/plan.ts'
import type { Attempts } from './attempts.ts'
import type { FilesWatch } from './files-watch.ts'
import type { JobIndex } from './job-index.ts'
import type { Refusals } from './refusals.ts'
import type { JobObject, Writer } from './writer.ts'

export interface ObserverOptions {
  readonly jobs: Cache<JobObject, ObservedJob>
  readonly index: JobIndex
  readonly writer: Writer
  readonly attempts: Attempts
  readonly refusals: Refusals
  readonly salt?: string | undefined
  readonly files?: Pick<FilesWatch, 'of'>
}

export interface Moment {
  readonly catchUp: boolean
  readonly isFreshBlock: boolean
  /** In whole epoch seconds. */
  readonly now: number
}

/** Gathers everything that is known about one KronJob. */
export class Observer {
  readonly #options: ObserverOptions

  constructor(options: ObserverOptions) {
    this.#options = options
  }

  async observe(kronJob: KronJob, { catchUp, isFreshBlock, now }: Moment): Promise<Observed> {
    const { metadata, status } = kronJob
    const { attempts, refusals, index, salt } = this.#options
    attempts.noteAhead(kronJob, now)
    const created = attempts.createdFor(kronJob)
    if (!attempts.isCertainlyAbsent(kronJob) && !created) await this.#findAnnounced(kronJob, now)
    const block = refusals.of(keyOf(kronJob))
    const files = await this.filesOf(kronJob)
    return {
      kronJob,
      jobs: index.of(kronJob),
      ...(block && { block, isFreshBlock }),
      certainlyAbsent: attempts.isCertainlyAbsent(kronJob),
      ...(created && { created }),
      catchUp: catchUp || metadata.generation !== status?.observedGeneration,
      ...(salt !== undefined && { salt }),
      ...(files && { files }),
      now,
    }
  }

  /** The calendars and weights of the namespace, if the KronJob names any. */
  async filesOf(kronJob: KronJob): Promise<Observed['files']> {
    return namesFiles(kronJob) ? this.#options.files?.of(kronJob.metadata.namespace) : undefined
  }

  /** Looks for an announced Job that the watch has not shown. Its absence must be certain before the next step. */
  async #findAnnounced(kronJob: KronJob, now: number): Promise<void> {
    const { index, writer, jobs, attempts } = this.#options
    const intent = kronJob.status?.intent
    if (!intent || intent.replacing || isAhead(kronJob, now)) return
    if (index.of(kronJob).some(each => each.name === intent.jobName)) return
    const found = await writer.readJob(kronJob.metadata.namespace, intent.jobName)
    if (found !== undefined) jobs.put(found)
    else if (!mayBeCollected(kronJob, intent, now)) attempts.notFound(keyOf(kronJob), intent.jobName)
  }
}
