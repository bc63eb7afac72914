import { type KronJob, keyOf } from '../../manifest/kronjob.ts'
import { isAhead } from '../../plan/announcement.ts'
import type { ObservedJob } from '../../plan/job.ts'
import type { Plan } from '../../plan/plan.ts'

/** The Job of an announcement: certainly not created, created by this replica, or requested without an answer. */
interface AnnouncedJob {
  readonly jobName: string
  readonly created?: ObservedJob
  readonly isInDoubt?: boolean
}

/**
 * For each KronJob, what this replica knows about the announced Job. A new term begins with an empty table, because
 * another leader may have acted on the same announcement. The table stays if no other replica has led since the last
 * term.
 */
export class AnnouncedJobs {
  readonly #jobs = new Map<string, AnnouncedJob>()

  /** Notes an announcement whose time has not come: no replica has acted on it, so its Job was certainly not created. */
  noteAhead(kronJob: KronJob, now: number): void {
    const intent = kronJob.status?.intent
    if (intent !== undefined && isAhead(kronJob, now))
      this.#jobs.set(keyOf(kronJob), { jobName: intent.jobName })
  }

  /** Whether the announced Job was certainly not created: never requested, not found, or refused. */
  isCertainlyAbsent(kronJob: KronJob): boolean {
    const jobName = kronJob.status?.intent?.jobName
    const job = this.#jobs.get(keyOf(kronJob))
    return jobName !== undefined && job?.jobName === jobName && !job.created && !job.isInDoubt
  }

  /** The announced Job, if this replica has created it. It may have ended and been deleted since. */
  createdFor({ metadata, status }: KronJob): ObservedJob | undefined {
    const created = this.#jobs.get(keyOf({ metadata }))?.created
    const isIts = created?.ownerUid === metadata.uid && created.name === status?.intent?.jobName
    return isIts ? created : undefined
  }

  /** Called when the plan's status is written. */
  note(kronJob: KronJob, { status: { intent } }: Plan): void {
    const key = keyOf(kronJob)
    if (intent === undefined) this.#jobs.delete(key)
    else if (intent.jobName !== kronJob.status?.intent?.jobName)
      this.#jobs.set(key, { jobName: intent.jobName })
  }

  /** The KronJob is gone. */
  forget(key: string): void {
    this.#jobs.delete(key)
  }

  /** The request is sent and not answered yet. */
  sent(key: string, jobName: string): void {
    this.#jobs.set(key, { jobName, isInDoubt: true })
  }

  /**
   * The API server has no such Job, and a TTL cannot have removed it yet. The requests of earlier leaders have ended,
   * so that is certain. A request of this replica that got no answer may still be carried out.
   */
  notFound(key: string, jobName: string): void {
    if (this.#jobs.get(key)?.jobName !== jobName) this.#jobs.set(key, { jobName })
  }

  created(key: string, job: ObservedJob): void {
    this.#jobs.set(key, { jobName: job.name, created: job })
  }

  /** The request was not sent, or the API server has certainly refused it. */
  refused(key: string, jobName: string): void {
    this.#jobs.set(key, { jobName })
  }

  clear(): void {
    this.#jobs.clear()
  }
}
