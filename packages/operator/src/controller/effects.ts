import type { Clock } from '@kron/runtime'
import type { Cache } from '../cluster/cache.ts'
import { type JobManifest, type ObservedJob, observeJob } from '../plan/job.ts'
import type { Effect } from '../plan/plan.ts'
import type { Attempts } from './attempts.ts'
import type { Metrics } from './metrics.ts'
import type { Refusals } from './refusals.ts'
import { type Creation, type JobObject, NotLeading, type Writer } from './writer.ts'

export interface EffectsOptions {
  readonly writer: Writer
  readonly jobs: Cache<JobObject, ObservedJob>
  readonly metrics: Metrics
  readonly attempts: Attempts
  readonly refusals: Refusals
  readonly clock: Clock
}

/** Carries out the effects of a plan whose status is written, and remembers the answers. */
export class Effects {
  readonly #options: EffectsOptions

  constructor(options: EffectsOptions) {
    this.#options = options
  }

  async perform(key: string, effect: Effect): Promise<void> {
    if (effect.kind === 'create') return this.#create(key, effect)
    const { writer, jobs } = this.#options
    const { job, kind } = effect
    const dying = await writer.deleteJob(job, kind === 'replace' ? 'Foreground' : 'Background')
    if (dying !== undefined) return jobs.put(dying)
    jobs.remove({ metadata: { ...job, resourceVersion: '', creationTimestamp: '' } })
  }

  async #create(key: string, { job, chosen }: Extract<Effect, { kind: 'create' }>): Promise<void> {
    const { jobs, metrics, attempts, refusals, clock } = this.#options
    const creation = await this.#try(key, job)
    if ('failure' in creation) {
      if (creation.failure.certain) attempts.refused(key, job.metadata.name)
      return refusals.add(key, creation.failure)
    }
    attempts.created(key, observeJob(creation.job))
    refusals.end(key)
    jobs.put(creation.job)
    if (!creation.isNew) return
    metrics.jobsCreated.add()
    metrics.lateness.observe(Math.max(0, clock.now() / 1000 - chosen))
  }

  async #try(key: string, job: JobManifest): Promise<Creation> {
    const { writer, attempts } = this.#options
    attempts.sent(key, job.metadata.name)
    try {
      return await writer.createJob(job)
    } catch (error) {
      // Without the lease nothing is sent.
      if (error instanceof NotLeading) attempts.refused(key, job.metadata.name)
      throw error
    }
  }
}
