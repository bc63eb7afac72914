import type { Clock, Timer } from '@kron/runtime'
import type { Method } from '../../../../operator/src/cluster/api.ts'
import type { Recorder } from '../../../../operator/src/cluster/recorder.ts'
import { Controller } from '../../../../operator/src/controller/controller.ts'
import { JobCache } from '../../../../operator/src/controller/observe/job-cache.ts'
import { KronJobCache } from '../../../../operator/src/controller/observe/kronjob-cache.ts'
import { Writer } from '../../../../operator/src/controller/write/writer.ts'
import type { KronJob } from '../../../../operator/src/manifest/kronjob.ts'
import type { Note } from '../../../../operator/src/plan/plan.ts'
import { Metrics } from '../../../../operator/src/report/metrics.ts'
import type { Asked, Fate, MemoryCluster, StoredJob, Watcher } from './memory-cluster.ts'

export interface ReplicaOptions {
  readonly cluster: MemoryCluster
  readonly clock: Clock
  readonly random: () => number
  readonly fateOf: (method: Method, path: string) => Fate
  /** Milliseconds by which the watches lag behind. */
  readonly lag: () => number
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** A controller with its caches on a cluster in memory. It can die, lapse and lead at any moment. */
export class Replica implements Watcher {
  readonly asked: Asked[] = []
  readonly notes: Note[] = []
  readonly metrics = new Metrics()
  readonly #cluster: MemoryCluster
  readonly #clock: Clock
  readonly #lag: () => number
  /** The watch events that have not arrived yet. */
  readonly #events: (() => void)[] = []
  readonly #kronJobs: KronJobCache
  readonly #jobs: JobCache
  readonly #controller: Controller
  #isDead = false
  #isHolder = false
  #stopped: Promise<void> = Promise.resolve()

  constructor({ cluster, clock, random, fateOf, lag, log }: ReplicaOptions) {
    this.#cluster = cluster
    this.#clock = clock
    this.#lag = lag
    this.#kronJobs = new KronJobCache(key => this.#controller.touch(key))
    this.#jobs = new JobCache(key => this.#controller.touch(key))
    const api = cluster.apiFor(fateOf, () => this.#isDead, this.asked)
    this.#controller = new Controller({
      kronJobs: this.#kronJobs,
      jobs: this.#jobs,
      writer: new Writer({ api, leaseLeft: () => (this.#isHolder ? 10_000 : 0) }),
      recorder: { record: (_: KronJob, note: Note) => void this.notes.push(note) } as unknown as Recorder,
      metrics: this.metrics,
      log: (_level, event, fields = {}) => {
        if (!this.#isDead) log(event, fields)
      },
      clock: mortal(clock, () => this.#isDead),
      random,
    })
    cluster.watchers.add(this)
  }

  /** The number of KronJobs that have a timer. */
  get armed(): number {
    return this.#controller.load.waiting
  }

  kronJob(kronJob: KronJob): void {
    this.#later(() => this.#kronJobs.put(kronJob))
  }

  job(job: StoredJob): void {
    this.#later(() => this.#jobs.put(job))
  }

  jobGone(job: StoredJob): void {
    this.#later(() => this.#jobs.remove(job))
  }

  /** Events arrive late, but in their order. */
  #later(event: () => void): void {
    this.#events.push(event)
    this.#clock.setTimer(this.#lag(), () => {
      if (!this.#isDead) this.#events.shift()?.()
    })
  }

  /** Takes the lease after a fresh list. `isContinued` says that nobody has led since this replica did. */
  async lead(isContinued = false): Promise<void> {
    this.#isHolder = true
    await this.#stopped
    for (const each of this.#cluster.kronJobs.values()) this.#kronJobs.put(each)
    const jobs = this.#cluster.jobs
    for (const each of jobs.values()) this.#jobs.put(each)
    this.#jobs.retain(new Set([...jobs.values()].map(each => `shop/${each.metadata.name}`)), '999999999')
    if (this.#isHolder && !this.#isDead) this.#controller.lead(isContinued)
  }

  /** Loses the lease. It may lead again. */
  lapse(): void {
    this.#isHolder = false
    this.#stopped = this.#controller.stop()
  }

  /** Stops in order: the work in progress ends under the lease. */
  async stop(): Promise<void> {
    await this.#controller.stop()
    this.#isHolder = false
  }

  /** Dies: its requests may still happen, but nobody reads the answers. */
  die(): void {
    this.#isDead = true
    this.#isHolder = false
    this.#cluster.watchers.delete(this)
  }
}

/** The clock of a process: after its death no timer fires. */
function mortal(clock: Clock, isDead: () => boolean): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic?.() ?? clock.now(),
    setTimer: (milliseconds, fire): Timer => clock.setTimer(milliseconds, () => isDead() || fire()),
    clearTimer: timer => clock.clearTimer(timer),
  }
}
