import { type KronJob, keyOf } from '../manifest/kronjob.ts'
import { isAhead, mustBeFresh } from '../plan/announcement.ts'
import type { Plan } from '../plan/plan.ts'
import type { KronJobs } from './packed.ts'
import type { Writer } from './writer.ts'

/** For each KronJob, the Job that is announced and that this replica knows not to exist. */
export class Untried {
  readonly #names = new Map<string, string>()

  /** Whether nobody has tried to create the announced Job. */
  has(kronJob: KronJob, now: number): boolean {
    const intent = kronJob.status?.intent
    if (intent === undefined) return false
    const key = keyOf(kronJob)
    // No replica has acted on an announcement before its time.
    if (isAhead(intent, now)) this.#names.set(key, intent.jobName)
    return this.#names.get(key) === intent.jobName
  }

  /** Called when the plan's status is written. */
  note(kronJob: KronJob, { status: { intent } }: Plan): void {
    if (intent === undefined) this.#names.delete(keyOf(kronJob))
    else if (intent.jobName !== kronJob.status?.intent?.jobName)
      this.#names.set(keyOf(kronJob), intent.jobName)
  }

  /** The API server has certainly refused the Job. */
  refused(key: string, jobName: string): void {
    this.#names.set(key, jobName)
  }

  tried(key: string): void {
    this.#names.delete(key)
  }

  /**
   * Withdraws announcements that have no Job, for templates with a TTL: a later leader would take an old one for a
   * start that happened. A replica that has lost the lease cannot write, so they stay then.
   */
  async withdraw(kronJobs: KronJobs, writer: Writer): Promise<void> {
    const names = [...this.#names]
    this.#names.clear()
    await Promise.all(
      names.map(async ([key, jobName]) => {
        const kronJob = kronJobs.get(key)
        if (kronJob === undefined || !mustBeFresh(kronJob)) return
        const { intent, ...status } = kronJob.status ?? {}
        if (intent?.jobName === jobName) await writer.writeStatus(kronJob, status).catch(() => undefined)
      }),
    )
  }
}
