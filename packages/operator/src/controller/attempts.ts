import { type KronJob, keyOf } from '../manifest/kronjob.ts'
import { isAhead, mustBeFresh } from '../plan/announcement.ts'
import type { ObservedJob } from '../plan/job.ts'
import type { Plan } from '../plan/plan.ts'

/** The Job of an announcement: certainly not created, or created by this replica. */
interface Attempt {
  readonly jobName: string
  readonly created?: ObservedJob
}

/**
 * For each KronJob, what this replica knows for certain about the announced Job. It is empty when a term begins, unless
 * nobody else has led since the last one: another leader may have acted on the same announcement.
 */
export class Attempts {
  readonly #attempts = new Map<string, Attempt>()

  /** Notes an announcement whose time has not come: no replica has acted on it, so its Job was certainly not created. */
  noteAhead(kronJob: KronJob, now: number): void {
    const intent = kronJob.status?.intent
    if (intent !== undefined && !mustBeFresh(kronJob) && isAhead(intent, now))
      this.#attempts.set(keyOf(kronJob), { jobName: intent.jobName })
  }

  /** Whether the announced Job was certainly not created: it was never requested, or the request was refused. */
  isCertainlyAbsent(kronJob: KronJob): boolean {
    const jobName = kronJob.status?.intent?.jobName
    const attempt = this.#attempts.get(keyOf(kronJob))
    return jobName !== undefined && attempt?.jobName === jobName && attempt.created === undefined
  }

  /** The announced Job, if this replica has created it. It may have ended and been deleted since. */
  createdFor({ metadata, status }: KronJob): ObservedJob | undefined {
    const created = this.#attempts.get(keyOf({ metadata }))?.created
    const isIts = created?.ownerUid === metadata.uid && created.name === status?.intent?.jobName
    return isIts ? created : undefined
  }

  /** Called when the plan's status is written. */
  note(kronJob: KronJob, { status: { intent } }: Plan): void {
    const key = keyOf(kronJob)
    if (intent === undefined) this.#attempts.delete(key)
    else if (intent.jobName !== kronJob.status?.intent?.jobName)
      this.#attempts.set(key, { jobName: intent.jobName })
  }

  /** Nothing is certain: the request is sent and not answered yet, or the KronJob is gone. */
  forget(key: string): void {
    this.#attempts.delete(key)
  }

  created(key: string, job: ObservedJob): void {
    this.#attempts.set(key, { jobName: job.name, created: job })
  }

  /** The request was not sent, or the API server has certainly refused it. */
  refused(key: string, jobName: string): void {
    this.#attempts.set(key, { jobName })
  }

  clear(): void {
    this.#attempts.clear()
  }
}
