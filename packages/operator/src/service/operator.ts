import { type Clock, systemClock } from '@kron/runtime'
import { Api } from '../cluster/api.ts'
import { ApiError, forbiddenText, isForbidden } from '../cluster/api-error.ts'
import type { ClusterAccess } from '../cluster/kubeconfig.ts'
import { Leadership } from '../cluster/leadership.ts'
import { jobsPath, kronJobsPath } from '../cluster/paths.ts'
import { Recorder } from '../cluster/recorder.ts'
import { Reflector } from '../cluster/reflector.ts'
import { Controller } from '../controller/controller.ts'
import { FilesWatch } from '../controller/observe/files-watch.ts'
import { JobCache } from '../controller/observe/job-cache.ts'
import { KronJobCache } from '../controller/observe/kronjob-cache.ts'
import { Writer } from '../controller/write/writer.ts'
import type { KronJob } from '../manifest/kronjob.ts'
import type { JobObject } from '../plan/job.ts'
import { NAME_LABEL } from '../plan/names.ts'
import { MOST_REPORTED } from '../report/kronjob-metrics.ts'
import type { Log } from '../report/log.ts'
import { Metrics, TROUBLES, type Trouble } from '../report/metrics.ts'

export interface OperatorOptions {
  readonly access: ClusterAccess
  readonly identity: string
  /** The namespaces to watch. Empty or absent means all namespaces. */
  readonly namespaces?: readonly string[]
  readonly leaseNamespace: string
  readonly leaseName?: string | undefined
  readonly leaseDuration?: number | undefined
  readonly stallTimeout?: number | undefined
  /** The salt of KronJobs that have no salt of their own. */
  readonly salt?: string | undefined
  readonly log: Log
  readonly clock?: Clock
}

const LEASE_NAME = 'kron-operator'
/** Enough connections for the starts of one second (`WorkQueue`), the lease and Events. */
const SOCKETS = 109
/** The watches of a namespace: KronJobs, Jobs and the ConfigMap of calendars and weights. */
const WATCHES = 3

/**
 * Connects the parts of the operator: the reflected caches of KronJobs, Jobs and `kron-files`, the lease, and the
 * controller between them.
 */
export class Operator {
  readonly #metrics = new Metrics()
  readonly #options: OperatorOptions
  readonly #controller: Controller
  readonly #leadership: Leadership
  readonly #kronJobs: KronJobCache
  readonly #reflectors: readonly Watched[]
  readonly #files: FilesWatch
  #obstacle: string | undefined
  #stopped: Promise<void> = Promise.resolve()

  constructor(options: OperatorOptions) {
    this.#options = options
    const { access, identity, namespaces = [], log, clock = systemClock } = options
    const scopes = namespaces.length === 0 ? [undefined] : [...new Set(namespaces)]
    const api = new Api(access, {
      userAgent: 'kron-operator',
      mostSockets: SOCKETS + WATCHES * scopes.length,
      witness: (method, status) => this.#metrics.requests.add({ method, code: String(status) }),
    })
    const trouble = (what: string) => (error: unknown) => this.#trouble(what, error)
    this.#kronJobs = new KronJobCache(key => this.#controller.touch(key))
    const jobs = new JobCache(key => this.#controller.touch(key))
    const watch = {
      api,
      clock,
      ...(options.stallTimeout !== undefined && { stallTimeout: options.stallTimeout }),
    }
    this.#reflectors = scopes.flatMap((scope): Watched[] => [
      {
        resource: 'kronjobs',
        reflector: new Reflector<KronJob>({
          ...watch,
          path: kronJobsPath(scope),
          into: this.#kronJobs.within(scope),
          onTrouble: trouble('kronjobs'),
        }),
      },
      {
        resource: 'jobs',
        reflector: new Reflector<JobObject>({
          ...watch,
          path: jobsPath(scope),
          labelSelector: NAME_LABEL,
          into: jobs.within(scope),
          onTrouble: trouble('jobs'),
        }),
      },
    ])
    this.#files = new FilesWatch({
      ...watch,
      scopes,
      onChange: namespace => this.#controller.touchFiles(namespace),
      onTrouble: trouble('configmaps'),
    })
    this.#leadership = new Leadership({
      api,
      clock,
      namespace: options.leaseNamespace,
      name: options.leaseName ?? LEASE_NAME,
      identity,
      duration: options.leaseDuration,
      onGained: isContinued => void this.#lead(isContinued),
      onLost: () => void this.#follow(),
      onTrouble: trouble('lease'),
    })
    const writer = new Writer({ api, leaseLeft: () => this.#leadership.left })
    const recorder = new Recorder({
      api,
      clock,
      instance: identity,
      calm: () => this.#controller.calm(),
      onTrouble: error => this.#trouble('events', error),
    })
    const metrics = this.#metrics
    this.#controller = new Controller({
      kronJobs: this.#kronJobs,
      jobs,
      writer,
      recorder,
      metrics,
      log,
      clock,
      salt: options.salt,
      files: this.#files,
    })
  }

  /** Runs until the signal aborts, and then releases the lease. */
  async run(signal: AbortSignal): Promise<void> {
    const synced = this.#refresh()
    const watching = this.#reflectors.map(each => each.reflector.run(signal))
    const stopped = new Promise<void>(done => signal.addEventListener('abort', () => done(), { once: true }))
    await Promise.race([synced, stopped])
    if (!signal.aborted) {
      this.#options.log('info', 'synced', { kronJobs: this.#kronJobs.size })
      const campaign = new AbortController()
      // Work in progress finishes under the lease. Only then may another replica start.
      void stopped.then(() => this.#controller.stop()).then(() => campaign.abort())
      await this.#leadership.run(campaign.signal)
    }
    await Promise.all([...watching, this.#files.stop()])
  }

  get leading(): boolean {
    return this.#leadership.held
  }

  /** The reason why the operator is not ready: a missing list or a broken watch. Undefined when it is ready. */
  get unready(): string | undefined {
    const troubles = this.#reflectors.flatMap(({ resource, reflector }) =>
      reflector.trouble === undefined ? [] : [`${resource}: ${reflector.trouble}`],
    )
    if (troubles.length === 0) return undefined
    return [...troubles, ...(this.#obstacle ? [this.#obstacle] : [])].join('; ')
  }

  /** The metrics in Prometheus' text format. */
  scrape(): string {
    const { leading } = this
    const lease = this.#options.leaseName ?? LEASE_NAME
    const kronJobs = { count: this.#kronJobs.size, first: this.#kronJobs.first(MOST_REPORTED) }
    const watches: Record<string, boolean> = {}
    for (const { resource, reflector } of this.#reflectors)
      watches[resource] = (watches[resource] ?? true) && reflector.trouble === undefined
    return this.#metrics.print({ ...this.#controller.load, kronJobs, leading, lease, watches })
  }

  async #refresh(): Promise<void> {
    await Promise.all(this.#reflectors.map(each => each.reflector.refresh()))
  }

  async #lead(isContinued: boolean): Promise<void> {
    this.#options.log('info', 'leading', { identity: this.#options.identity })
    // The last requests of the previous term must have ended.
    await this.#stopped
    // The caches may not show the last actions of the previous leader yet.
    await this.#refresh()
    if (this.leading) this.#controller.lead(isContinued)
  }

  async #follow(): Promise<void> {
    this.#options.log('warn', 'not leading', { identity: this.#options.identity })
    this.#stopped = this.#controller.stop()
    await this.#stopped
  }

  #trouble(resource: string, error: unknown): void {
    this.#metrics.watchRestarts.add({ resource, why: troubleOf(error) })
    if (isForbidden(error)) {
      const message = forbiddenText(error)
      this.#obstacle = message
      this.#options.log('error', 'forbidden', { resource, message })
      return
    }
    this.#options.log('warn', 'trouble', { resource, error })
  }
}

interface Watched {
  readonly resource: 'kronjobs' | 'jobs'
  readonly reflector: Pick<Reflector<KronJob>, 'refresh' | 'run' | 'trouble'>
}

function troubleOf(error: unknown): Trouble {
  if (!(error instanceof ApiError)) return 'Other'
  if (error.status === 403) return 'Forbidden'
  if (error.status === 410) return 'Expired'
  return TROUBLES.find(each => each === error.reason) ?? 'Other'
}
