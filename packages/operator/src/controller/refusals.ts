import { printInstant } from '@kron/core'
import type { Clock } from '@kron/runtime'
import type { Failure } from '../cluster/failure.ts'
import { type KronJob, keyOf } from '../manifest/kronjob.ts'
import type { ScheduleFiles } from '../manifest/schedule-files.ts'
import { type Block, Blocks } from './blocks.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { isTroubled, sampleJob } from './template.ts'
import { TemplateTrials } from './template-trials.ts'
import type { Writer } from './writer.ts'

export interface RefusalsOptions {
  readonly writer: Writer
  readonly metrics: Metrics
  readonly log: Log
  readonly clock: Clock
  readonly salt: string | undefined
  readonly random?: () => number
}

/** The KronJobs whose Jobs are refused. A refusal is found by a dry run or by a start, and both report it here. */
export class Refusals {
  readonly #options: RefusalsOptions
  readonly #blocks: Blocks
  readonly #trials: TemplateTrials

  constructor(options: RefusalsOptions) {
    this.#options = options
    this.#blocks = new Blocks(options.random)
    this.#trials = new TemplateTrials(options.writer, options.clock)
  }

  get size(): number {
    return this.#blocks.size
  }

  of(key: string): Block | undefined {
    return this.#blocks.of(key)
  }

  add(key: string, failure: Failure): void {
    const { metrics, log } = this.#options
    const { failures, until } = this.#blocks.add(key, failure, this.#seconds())
    metrics.createErrors.add({ reason: failure.reason })
    const fields = {
      reason: failure.reason,
      message: failure.message,
      tries: failures,
      retryAt: printInstant(until),
    }
    if (failure.reason === 'PermissionMissing') log('error', 'forbidden', { identity: key, ...fields })
    else log('warn', 'blocked', { identity: key, ...fields })
  }

  /** A Job was created, or the KronJob is gone. */
  end(key: string): void {
    this.#blocks.end(key)
  }

  clear(): void {
    this.#blocks.clear()
  }

  /** Tries the template in a dry run, if it is new, or if its Jobs were refused and the pause is over. */
  async tryTemplate(kronJob: KronJob, files: ScheduleFiles | undefined): Promise<void> {
    const key = keyOf(kronJob)
    const changed = kronJob.metadata.generation !== kronJob.status?.observedGeneration
    const now = this.#seconds()
    if (changed) this.#blocks.end(key)
    else if (!isTroubled(kronJob) || now < (this.#blocks.of(key)?.until ?? 0)) return
    const sample = sampleJob(kronJob, this.#options.salt, now, files)
    const failure = sample && (await this.#trials.try(kronJob, sample))
    // A full quota may be free again when the first period comes.
    if (failure === undefined || (changed && failure.reason === 'QuotaExceeded')) this.#blocks.lift(key)
    else this.add(key, failure)
  }

  #seconds(): number {
    return Math.floor(this.#options.clock.now() / 1000)
  }
}
