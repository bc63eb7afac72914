import { createHash } from 'node:crypto'
import type { Clock } from '@kron/runtime'
import type { Failure } from '../cluster/failure.ts'
import type { KronJob } from '../manifest/kronjob.ts'
import type { JobManifest } from '../plan/job.ts'
import type { Writer } from './writer.ts'

interface Trial {
  readonly at: number
  readonly passed: Promise<boolean>
}

/** Milliseconds for which a passed dry run counts for equal templates. */
const FRESH = 5_000
const MOST_TRIALS = 1_000

/**
 * Dry runs of Job templates. Equal templates of one namespace share a passed dry run for some seconds, because an
 * operator that meets thousands of new KronJobs would otherwise double its requests. A refusal is not shared.
 */
export class TemplateTrials {
  readonly #writer: Writer
  readonly #clock: Clock
  readonly #trials = new Map<string, Trial>()

  constructor(writer: Writer, clock: Clock) {
    this.#writer = writer
    this.#clock = clock
  }

  async try(kronJob: KronJob, sample: JobManifest): Promise<Failure | undefined> {
    const template = JSON.stringify([kronJob.metadata.namespace, kronJob.spec.jobTemplate])
    const key = createHash('sha256').update(template).digest('base64')
    const known = this.#trials.get(key)
    if (known && this.#clock.now() - known.at < FRESH && (await known.passed)) return undefined
    const answer = this.#writer.tryJob(sample)
    const passed = answer.then(
      failure => failure === undefined,
      () => false,
    )
    this.#trials.delete(key)
    this.#trials.set(key, { at: this.#clock.now(), passed })
    if (this.#trials.size > MOST_TRIALS) this.#trials.delete(this.#trials.keys().next().value!)
    return answer
  }
}
