import { type Clock, type ClockJump, systemClock } from '@kron/runtime'
import { forbiddenText, isConflict, isForbidden, isLost, isNotFound } from '../cluster/api-error.ts'
import { jitteredBackoff } from '../cluster/backoff.ts'
import type { Cache } from '../cluster/cache.ts'
import type { Recorder } from '../cluster/recorder.ts'
import type { KronJob } from '../manifest/kronjob.ts'
import { namesFiles } from '../manifest/schedule-files.ts'
import type { ObservedJob } from '../plan/job.ts'
import type { Plan } from '../plan/plan.ts'
import { reconcile } from '../plan/reconcile.ts'
import { canWait } from '../plan/waiting.ts'
import { Attempts } from './attempts.ts'
import { Effects } from './effects.ts'
import type { FilesWatch } from './files-watch.ts'
import type { JobIndex } from './job-index.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { Observer } from './observer.ts'
import type { KronJobs } from './packed.ts'
import { statusPatch } from './patch.ts'
import { Refusals } from './refusals.ts'
import { report, reportUnconfirmed } from './report.ts'
import { Rests } from './rests.ts'
import { isTroubled } from './template.ts'
import { Timers } from './timers.ts'
import { Unconfirmed } from './unconfirmed.ts'
import { type Reason, WorkQueue } from './work-queue.ts'
import { type JobObject, NotLeading, type Writer } from './writer.ts'

export interface ControllerOptions {
  readonly kronJobs: KronJobs
  readonly jobs: Cache<JobObject, ObservedJob>
  readonly index: JobIndex
  readonly writer: Writer
  readonly recorder: Recorder
  readonly metrics: Metrics
  readonly log: Log
  readonly clock?: Clock
  readonly workers?: number
  /** The chance in the pauses between tries. */
  readonly random?: () => number
  /** The salt of KronJobs that have no salt of their own. */
  readonly salt?: string | undefined
  /** The calendars and weights of a namespace. */
  readonly files?: Pick<FilesWatch, 'of'>
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
  readonly #refusals: Refusals
  readonly #rests: Rests
  readonly #attempts = new Attempts()
  readonly #unconfirmed = new Unconfirmed()
  readonly #effects: Effects
  readonly #observer: Observer
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
        for (const key of keys) this.#add(key, { wokenAt: now, urgent: true })
      },
      onJump: jump => this.#onJump(jump),
    })
    this.#rests = new Rests({
      clock: this.#clock,
      onEnd: (key, catchUp) => this.#add(key, catchUp ? { catchUp } : {}),
    })
    const clock = this.#clock
    const { writer, jobs, index, metrics, log, salt, random, files } = options
    this.#refusals = new Refusals({ writer, metrics, log, salt, clock, ...(random && { random }) })
    const [attempts, refusals] = [this.#attempts, this.#refusals]
    this.#effects = new Effects({ writer, jobs, metrics, attempts, refusals, clock })
    this.#observer = new Observer({ jobs, index, writer, attempts, refusals, salt, ...(files && { files }) })
  }

  /** The numbers of keys waiting for a worker, KronJobs waiting for their time, and blocked KronJobs. */
  get load(): { readonly queued: number; readonly waiting: number; readonly blocked: number } {
    return { queued: this.#queue.depth, waiting: this.#timers.size, blocked: this.#refusals.size }
  }

  /** Resolves when no KronJob waits for a worker. */
  calm(): Promise<void> {
    return this.#queue.calm()
  }

  /** Called when a KronJob or one of its Jobs has changed. */
  touch(key: string): void {
    if (this.#unconfirmed.has(key)) this.#confirm(key)
    this.#add(key)
  }

  /** Called when the calendars or weights of a namespace have changed. */
  touchFiles(namespace: string): void {
    for (const key of this.#options.kronJobs.keys()) {
      if (!key.startsWith(`${namespace}/`)) continue
      const kronJob = this.#options.kronJobs.get(key)
      if (kronJob !== undefined && namesFiles(kronJob)) this.touch(key)
    }
  }

  /** Begins a term. `isContinued` says that nobody else has led since the last one. */
  lead(isContinued = false): void {
    this.#leading = true
    if (!isContinued) this.#attempts.clear()
    for (const key of this.#options.kronJobs.keys()) this.#add(key, { catchUp: true })
  }

  async stop(): Promise<void> {
    this.#leading = false
    this.#timers.clear()
    await this.#queue.clear()
    this.#failures.clear()
    this.#refusals.clear()
    this.#rests.clear()
  }

  #onJump({ kind, by }: ClockJump): void {
    this.#options.log('warn', 'clock jumped', { direction: kind, seconds: Math.round(by / 1000) })
    if (kind === 'backward') return
    for (const key of this.#options.kronJobs.keys()) this.#add(key, { catchUp: true })
  }

  /** Work that is in progress when the term ends must not lead to more. */
  #add(key: string, reason: Reason = {}): void {
    if (this.#leading) this.#queue.add(key, reason)
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
      this.#retry(key, {
        ...(reason.catchUp && { catchUp: true }),
        // A status that could wait goes behind all others.
        ...(reason.armedFor !== undefined && { armedFor: Number.POSITIVE_INFINITY }),
      })
    } finally {
      metrics.reconcileTime.observe((performance.now() - started) / 1000)
    }
  }

  #retry(key: string, reason: Reason): void {
    const failures = this.#failures.get(key) ?? 0
    this.#failures.set(key, failures + 1)
    const pause = jitteredBackoff(failures + 1, 100, 10_000, this.#options.random)
    this.#clock.setTimer(pause, () => this.#add(key, reason))
  }

  /** Returns true if a Job could not be created. It is tried again after a pause. */
  async #reconcile(key: string, reason: Reason): Promise<boolean> {
    const now = reason.wokenAt ?? this.#seconds()
    const before = this.#refusals.of(key)
    const isFresh = (): boolean => this.#refusals.of(key) !== undefined && this.#refusals.of(key) !== before
    if (await this.#isResting(key, reason)) return false
    const catchUp = this.#rests.end(key) || reason.catchUp === true
    if (await this.#armFirst(key, reason, catchUp, now)) return false
    let tried: number | undefined
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const kronJob = this.#options.kronJobs.get(key)
      if (kronJob === undefined) {
        this.#refusals.end(key)
        this.#attempts.forget(key)
        this.#arm(key, undefined)
        return false
      }
      // The KronJob may be edited between two rounds.
      if (tried !== kronJob.metadata.generation)
        await this.#refusals.tryTemplate(kronJob, await this.#observer.filesOf(kronJob))
      tried = kronJob.metadata.generation
      // A block may have lasted for several periods. Only the last of them starts.
      const isLifted = before !== undefined && this.#refusals.of(key) === undefined
      const moment = { catchUp: catchUp || isLifted, isFreshBlock: isFresh(), now }
      const plan = reconcile(await this.#observer.observe(kronJob, moment))
      if (!(await this.#announce(kronJob, plan))) continue
      if (plan.effects.length === 0) {
        this.#arm(key, plan.wakeAt)
        return isFresh()
      }
      for (const effect of plan.effects) if (!isFresh()) await this.#effects.perform(key, effect)
      if (!isFresh() && this.#rest(key, plan, catchUp || isLifted, now)) return false
    }
    throw new Error(`the status of ${key} keeps changing under the operator`)
  }

  /**
   * Sets the timer of a KronJob that is new, was edited or may have been unwatched for a while, if nothing of it is due.
   * Its dry run and its status may then wait until every other KronJob has its timer: thousands of them take minutes.
   * If the timer rings first, the controller handles the KronJob at once and announces the start then.
   */
  async #armFirst(key: string, reason: Reason, catchUp: boolean, now: number): Promise<boolean> {
    if (reason.urgent || reason.armedFor !== undefined) return false
    const kronJob = this.#options.kronJobs.get(key)
    if (kronJob === undefined) return false
    const isNew = kronJob.metadata.generation !== kronJob.status?.observedGeneration
    // An edit may end a block, and only a dry run tells.
    if ((!isNew && !catchUp) || this.#refusals.of(key) !== undefined) return false
    const plan = reconcile(await this.#observer.observe(kronJob, { catchUp, isFreshBlock: false, now }))
    if (!canWait(plan, kronJob, now)) return false
    this.#arm(key, plan.wakeAt)
    const isDone = !isNew && plan.effects.length === 0 && !isTroubled(kronJob)
    if (isDone && statusPatch(kronJob.status ?? {}, plan.status) === undefined) return true
    this.#add(key, { ...(catchUp && { catchUp }), armedFor: plan.wakeAt ?? Number.POSITIVE_INFINITY })
    return true
  }

  /** A timer, an edit and the end of the Job end a rest. */
  async #isResting(key: string, { urgent, catchUp }: Reason): Promise<boolean> {
    if (urgent || catchUp || !this.#rests.isIn(key)) return false
    const kronJob = this.#options.kronJobs.get(key)
    if (kronJob?.metadata.generation !== kronJob?.status?.observedGeneration) return false
    const rest = kronJob && this.#rests.of(key, this.#options.index.of(kronJob))
    if (kronJob === undefined || rest === undefined) return false
    // The timer of the next period was left for later, when the Job was created.
    if (!this.#timers.has(key)) {
      const observed = await this.#observer.observe(kronJob, { ...rest, isFreshBlock: false })
      this.#arm(key, reconcile(observed).wakeAt)
    }
    return true
  }

  /**
   * The start is announced and done. Its outcome is written later. The next timer is set as soon as the key has its
   * turn again, because other starts may wait for this worker.
   */
  #rest(key: string, { effects }: Plan, catchUp: boolean, now: number): boolean {
    const start = effects.find(each => each.kind === 'create')
    if (start === undefined) return false
    this.#rests.begin(key, { jobName: start.job.metadata.name, catchUp, now })
    this.#add(key)
    return true
  }

  #seconds(): number {
    return Math.floor(this.#clock.now() / 1000)
  }

  #arm(key: string, wakeAt: number | undefined): void {
    if (!this.#leading) return
    if (wakeAt === undefined) this.#timers.remove(key)
    else this.#timers.set(key, wakeAt)
  }

  /** Writes the status and reports it. Returns false if the KronJob has changed meanwhile. */
  async #announce(kronJob: KronJob, plan: Plan): Promise<boolean> {
    const { writer, kronJobs } = this.#options
    try {
      const written = await writer.writeStatus(kronJob, plan.status)
      if (written !== undefined) kronJobs.put(written)
      this.#attempts.note(kronJob, plan)
    } catch (error) {
      if (isLost(error)) {
        this.#unconfirmed.add(kronJob, plan)
        reportUnconfirmed(plan, this.#options)
      }
      // A deleted KronJob is tried again until the watch has reported the deletion.
      if (!isConflict(error)) throw error
      await this.#look(kronJob)
      return false
    }
    report(kronJob, plan, this.#options)
    return true
  }

  /** Reports a status whose answer was lost, when it is seen in the KronJob. */
  #confirm(key: string): void {
    const written = this.#unconfirmed.settle(key, this.#options.kronJobs.get(key))
    if (written === undefined) return
    if (this.#leading) this.#attempts.note(written.kronJob, written.plan)
    report(written.kronJob, written.plan, this.#options)
  }

  async #look(kronJob: KronJob): Promise<void> {
    const { writer, kronJobs } = this.#options
    const fresh = await writer.read(kronJob)
    if (fresh.metadata.uid !== kronJob.metadata.uid) kronJobs.remove(kronJob)
    kronJobs.put(fresh)
  }
}
