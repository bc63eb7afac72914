import type { Clock } from '@kron/runtime'
import type { Cache } from '../cluster/cache.ts'
import type { ObservedJob } from '../plan/job.ts'
import type { Effect } from '../plan/plan.ts'
import type { Metrics } from './metrics.ts'
import type { Refusals } from './refusals.ts'
import type { Untried } from './untried.ts'
import type { JobObject, Writer } from './writer.ts'

export interface EffectsOptions {
  readonly writer: Writer
  readonly jobs: Cache<JobObject, ObservedJob>
  readonly metrics: Metrics
  readonly untried: Untried
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
    const { writer, jobs, metrics, untried, refusals, clock } = this.#options
    untried.tried(key)
    const creation = await writer.createJob(job)
    if ('failure' in creation) {
      // The API server refused, so no Job exists. The intent is marked as untried, so that its age does not matter.
      if (creation.failure.certain) untried.refused(key, job.metadata.name)
      return refusals.add(key, creation.failure)
    }
    refusals.end(key)
    jobs.put(creation.job)
    if (!creation.isNew) return
    metrics.jobsCreated.add()
    metrics.lateness.observe(Math.max(0, clock.now() / 1000 - chosen))
  }
}
