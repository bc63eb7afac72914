import { createHash } from 'node:crypto'
import type { Clock } from '@kron/runtime'
import type { Failure } from '../../cluster/failure.ts'
import type { KronJob } from '../../manifest/kronjob.ts'
import type { JobManifest } from '../../plan/job.ts'
import type { Writer } from '../write/writer.ts'

interface DryRun {
  readonly at: number
  readonly passed: Promise<boolean>
}

/** Milliseconds for which a passed dry run counts for equal templates. */
const FRESH = 5_000
const MOST_RUNS = 1_000

/**
 * Dry runs of Job templates. Equal templates of one namespace share a passed dry run for some seconds, because an
 * operator that meets thousands of new KronJobs would otherwise double its requests. A refusal is not shared.
 */
export class DryRuns {
  readonly #writer: Writer
  readonly #clock: Clock
  readonly #runs = new Map<string, DryRun>()

  constructor(writer: Writer, clock: Clock) {
    this.#writer = writer
    this.#clock = clock
  }

  async try(kronJob: KronJob, sample: JobManifest): Promise<Failure | undefined> {
    const template = JSON.stringify([kronJob.metadata.namespace, kronJob.spec.jobTemplate])
    const key = createHash('sha256').update(template).digest('base64')
    const known = this.#runs.get(key)
    if (known && this.#clock.now() - known.at < FRESH && (await known.passed)) return undefined
    const answer = this.#writer.tryJob(sample)
    const passed = answer.then(
      failure => failure === undefined,
      () => false,
    )
    this.#runs.delete(key)
    this.#runs.set(key, { at: this.#clock.now(), passed })
    if (this.#runs.size > MOST_RUNS) this.#runs.delete(this.#runs.keys().next().value!)
    return answer
  }
}
