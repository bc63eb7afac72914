import { printInstant } from '@kron/core'
import { type Clock, type ClockJump, systemClock } from '@kron/runtime'
import { forbiddenText, isConflict, isForbidden, isNotFound } from '../cluster/api-error.ts'
import { backoff } from '../cluster/backoff.ts'
import type { Cache } from '../cluster/cache.ts'
import type { Failure } from '../cluster/failure.ts'
import type { Recorder } from '../cluster/recorder.ts'
import { type KronJob, keyOf } from '../manifest/kronjob.ts'
import { ANNOUNCED_AHEAD, isAhead } from '../plan/announcement.ts'
import type { ObservedJob } from '../plan/job.ts'
import type { Effect, Observed, Plan } from '../plan/plan.ts'
import { reconcile } from '../plan/reconcile.ts'
import { Blocks } from './blocks.ts'
import type { JobIndex } from './job-index.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { report } from './report.ts'
import { isTroubled, sampleJob } from './template.ts'
import { Timers } from './timers.ts'
import { type Reason, WorkQueue } from './work-queue.ts'
import { type JobObject, NotLeading, type Writer } from './writer.ts'

export interface ControllerOptions {
  readonly kronJobs: Cache<KronJob, KronJob>
  readonly jobs: Cache<JobObject, ObservedJob>
  readonly index: JobIndex
  readonly writer: Writer
  readonly recorder: Recorder
  readonly metrics: Metrics
  readonly log: Log
  readonly clock?: Clock
  readonly workers?: number
  /** The salt of KronJobs that have no salt of their own. */
  readonly salt?: string | undefined
}

/** More rounds than this for one key mean that two writers conflict. Other keys go first then. */
const MOST_ROUNDS = 50

/** Observes, plans and applies for every KronJob with an event, and for no other. */
export class Controller {
  readonly #options: ControllerOptions
  readonly #clock: Clock
  readonly #queue: WorkQueue
  readonly #timers: Timers
  readonly #failures = new Map<string, number>()
  readonly #blocks = new Blocks()
  /** For each KronJob, the Job that this replica has announced and knows not to exist. */
  readonly #untried = new Map<string, string>()
  #leading = false

  constructor(options: ControllerOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#queue = new WorkQueue({
      work: (key, reason) => this.#work(key, reason),
      ...(options.workers === undefined ? {} : { workers: options.workers }),
    })
    this.#timers = new Timers({
      clock: this.#clock,
      onDue: (keys, now) => {
        for (const key of keys) this.#queue.add(key, { wokenAt: now, urgent: true })
      },
      onNear: keys => {
        for (const key of keys) this.#queue.add(key)
      },
      ahead: ANNOUNCED_AHEAD,
      onJump: jump => this.#onJump(jump),
    })
  }

  /** The numbers of keys waiting for a worker, KronJobs waiting for their time, and blocked KronJobs. */
  get load(): { readonly queued: number; readonly waiting: number; readonly blocked: number } {
    return { queued: this.#queue.depth, waiting: this.#timers.size, blocked: this.#blocks.size }
  }

  /** Called when a KronJob or one of its Jobs has changed. */
  touch(key: string): void {
    if (this.#leading) this.#queue.add(key)
  }

  lead(): void {
    this.#leading = true
    for (const key of this.#options.kronJobs.keys()) this.#queue.add(key, { catchUp: true })
  }

  async stop(): Promise<void> {
    this.#leading = false
    this.#timers.clear()
    await this.#queue.clear()
    this.#failures.clear()
    this.#blocks.clear()
    await Promise.all([...this.#untried.keys()].map(key => this.#withdraw(key)))
    this.#untried.clear()
  }

  /** Removes an announcement without a Job, so that it is not taken for a start. Keeps it if the lease is lost. */
  async #withdraw(key: string): Promise<void> {
    const kronJob = this.#options.kronJobs.get(key)
    const { intent, ...status } = kronJob?.status ?? {}
    if (kronJob === undefined || intent?.jobName !== this.#untried.get(key)) return
    await this.#options.writer.writeStatus(kronJob, status).catch(() => undefined)
  }

  #onJump({ kind, by }: ClockJump): void {
    this.#options.log('warn', 'clock jumped', { direction: kind, seconds: Math.round(by / 1000) })
    if (kind === 'backward' || !this.#leading) return
    for (const key of this.#options.kronJobs.keys()) this.#queue.add(key, { catchUp: true })
  }

  async #work(key: string, reason: Reason): Promise<void> {
    const { metrics, log } = this.#options
    const started = performance.now()
    try {
      const isBlocked = await this.#reconcile(key, reason)
      this.#failures.delete(key)
      metrics.reconciles.add({ controller: 'kronjob', result: isBlocked ? 'error' : 'success' })
      if (isBlocked) metrics.reconcileErrors.add({ controller: 'kronjob' })
    } catch (error) {
      if (error instanceof NotLeading || !this.#leading) return
      if (isNotFound(error)) return this.#retry(key, reason)
      metrics.reconciles.add({ controller: 'kronjob', result: 'error' })
      metrics.reconcileErrors.add({ controller: 'kronjob' })
      if (isForbidden(error))
        log('error', 'forbidden', { identity: key, operation: 'reconcile', message: forbiddenText(error) })
      else log('error', 'reconcile failed', { identity: key, operation: 'reconcile', error })
      this.#retry(key, { ...(reason.catchUp && { catchUp: true }) })
    } finally {
      metrics.reconcileTime.observe((performance.now() - started) / 1000)
    }
  }

  #retry(key: string, reason: Reason): void {
    const failures = this.#failures.get(key) ?? 0
    this.#failures.set(key, failures + 1)
    this.#clock.setTimer(backoff(failures, 100, 10_000), () => {
      if (this.#leading) this.#queue.add(key, reason)
    })
  }

  /** Returns true if a Job could not be created. It is tried again after a pause. */
  async #reconcile(key: string, reason: Reason): Promise<boolean> {
    const now = reason.wokenAt ?? this.#seconds()
    const before = this.#blocks.of(key)
    const isFresh = (): boolean => this.#blocks.of(key) !== undefined && this.#blocks.of(key) !== before
    let tried: number | undefined
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const kronJob = this.#options.kronJobs.get(key)
      if (kronJob === undefined) {
        this.#blocks.end(key)
        this.#arm(key, undefined)
        return false
      }
      // The KronJob may be edited between two rounds.
      if (tried !== kronJob.metadata.generation) await this.#tryTemplate(kronJob)
      tried = kronJob.metadata.generation
      // A block may have lasted for several periods. Only the last of them starts.
      const isLifted = before !== undefined && this.#blocks.of(key) === undefined
      const plan = reconcile(
        await this.#observe(kronJob, reason.catchUp === true || isLifted, isFresh(), now),
      )
      if (!(await this.#announce(kronJob, plan))) continue
      if (plan.effects.length === 0) {
        this.#arm(key, plan.wakeAt)
        return isFresh()
      }
      for (const effect of plan.effects) if (!isFresh()) await this.#perform(key, effect)
      // The start is announced and done. Its outcome can be written after other starts.
      if (!isFresh() && plan.status.intent !== undefined && this.#queue.pressed) {
        this.#queue.add(key, { wokenAt: now, ...(reason.catchUp && { catchUp: true }) })
        return false
      }
    }
    throw new Error(`the status of ${key} keeps changing under the operator`)
  }

  #seconds(): number {
    return Math.floor(this.#clock.now() / 1000)
  }

  #arm(key: string, wakeAt: number | undefined): void {
    if (wakeAt === undefined) this.#timers.remove(key)
    else this.#timers.set(key, wakeAt)
  }

  async #observe(kronJob: KronJob, catchUp: boolean, isFreshBlock: boolean, now: number): Promise<Observed> {
    const { metadata, status } = kronJob
    const key = keyOf(kronJob)
    const untried = status?.intent !== undefined && this.#untried.get(key) === status.intent.jobName
    if (!untried) await this.#findAnnounced(kronJob, now)
    const block = this.#blocks.of(key)
    const { salt } = this.#options
    return {
      kronJob,
      jobs: this.#options.index.of(kronJob),
      ...(block && { block, isFreshBlock }),
      untried,
      catchUp: catchUp || metadata.generation !== status?.observedGeneration,
      ...(salt !== undefined && { salt }),
      now,
    }
  }

  /** Looks for an announced Job that the watch has not shown. Its absence must be certain before the next step. */
  async #findAnnounced(kronJob: KronJob, now: number): Promise<void> {
    const { index, writer, jobs } = this.#options
    const intent = kronJob.status?.intent
    if (!intent || intent.replacing || isAhead(intent, now)) return
    if (index.of(kronJob).some(each => each.name === intent.jobName)) return
    const found = await writer.readJob(kronJob.metadata.namespace, intent.jobName)
    if (found !== undefined) jobs.put(found)
  }

  /** Tries the template in a dry run, if it is new, or if its Jobs were refused and the pause is over. */
  async #tryTemplate(kronJob: KronJob): Promise<void> {
    const key = keyOf(kronJob)
    const changed = kronJob.metadata.generation !== kronJob.status?.observedGeneration
    const now = this.#seconds()
    if (changed) this.#blocks.end(key)
    else if (!isTroubled(kronJob) || now < (this.#blocks.of(key)?.until ?? 0)) return
    const sample = sampleJob(kronJob, this.#options.salt, now)
    const failure = sample && (await this.#options.writer.tryJob(sample))
    // A full quota may be free again when the first period comes.
    if (failure === undefined || (changed && failure.reason === 'QuotaExceeded')) this.#blocks.lift(key)
    else this.#block(key, failure)
  }

  #block(key: string, failure: Failure): void {
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

  /** Writes the status and reports it. Returns false if the KronJob has changed meanwhile. */
  async #announce(kronJob: KronJob, plan: Plan): Promise<boolean> {
    const { writer, kronJobs } = this.#options
    try {
      const written = await writer.writeStatus(kronJob, plan.status)
      if (written !== undefined) kronJobs.put(written)
      this.#noteIntent(kronJob, plan)
    } catch (error) {
      // A deleted KronJob is tried again until the watch has reported the deletion.
      if (!isConflict(error)) throw error
      await this.#look(kronJob)
      return false
    }
    report(kronJob, plan, this.#options)
    return true
  }

  #noteIntent(kronJob: KronJob, { status: { intent } }: Plan): void {
    if (intent === undefined) this.#untried.delete(keyOf(kronJob))
    else if (intent.jobName !== kronJob.status?.intent?.jobName)
      this.#untried.set(keyOf(kronJob), intent.jobName)
  }

  async #look(kronJob: KronJob): Promise<void> {
    const { writer, kronJobs } = this.#options
    const fresh = await writer.read(kronJob)
    if (fresh.metadata.uid !== kronJob.metadata.uid) kronJobs.remove(kronJob)
    kronJobs.put(fresh)
  }

  async #perform(key: string, effect: Effect): Promise<void> {
    const { writer, jobs, metrics } = this.#options
    switch (effect.kind) {
      case 'create': {
        this.#untried.delete(key)
        const creation = await writer.createJob(effect.job)
        if ('failure' in creation) {
          // The API server refused, so no Job exists. The intent is marked as untried, so that its age does not matter.
          if (creation.failure.certain) this.#untried.set(key, effect.job.metadata.name)
          return this.#block(key, creation.failure)
        }
        this.#blocks.end(key)
        jobs.put(creation.job)
        if (creation.isNew) {
          metrics.jobsCreated.add()
          metrics.lateness.observe(Math.max(0, this.#clock.now() / 1000 - effect.chosen))
        }
        return
      }
      case 'replace':
      case 'forget': {
        const dying = await writer.deleteJob(
          effect.job,
          effect.kind === 'replace' ? 'Foreground' : 'Background',
        )
        if (dying === undefined)
          jobs.remove({ metadata: { ...effect.job, resourceVersion: '', creationTimestamp: '' } })
        else jobs.put(dying)
      }
    }
  }
}
