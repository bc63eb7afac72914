import type { Clock } from '@kron/runtime'
import type { Api, Call, Method } from '../../../../operator/src/cluster/api.ts'
import { ApiError } from '../../../../operator/src/cluster/api-error.ts'
import type { KronJob, KronJobSpec, KronJobStatus } from '../../../../operator/src/manifest/kronjob.ts'
import type { JobManifest } from '../../../../operator/src/plan/job.ts'

/** A Job as the API server holds it. */
export interface StoredJob extends Omit<JobManifest, 'metadata'> {
  readonly metadata: JobManifest['metadata'] & {
    readonly uid: string
    readonly resourceVersion: string
    readonly creationTimestamp: string
    readonly deletionTimestamp?: string
  }
  readonly status: {
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly lastTransitionTime: string
    }[]
  }
}

/** The fate of one request. `answered` false means that the client gets no answer and cannot know the rest. */
export interface Fate {
  /** Milliseconds until the server acts, and from there until the answer arrives. */
  readonly delay: readonly [number, number]
  /** An answer in place of an action. */
  readonly refusal?: { readonly status: number; readonly message: string }
  /** Whether the connection was refused, so that the request was not sent. */
  readonly unsent?: boolean
  readonly happens: boolean
  /** Whether the server acts and answers with a refusal all the same. */
  readonly isLie?: boolean
  readonly answered: boolean
}

/** One request of a replica, as the API server and the replica saw it. */
export interface Asked {
  readonly method: Method
  readonly path: string
  readonly body: unknown
  readonly isDryRun: boolean
  /** Epoch milliseconds. */
  readonly at: number
  /** Whether the replica got the answer. */
  isAnswered: boolean
}

export interface Watcher {
  kronJob(kronJob: KronJob): void
  job(job: StoredJob): void
  jobGone(job: StoredJob): void
}

const NAMESPACE = 'shop'
const DONE = 'Complete'
/** Milliseconds that the pods of a deleted Job take to end. */
const PODS_END = 1_500

const printTime = (milliseconds: number): string =>
  new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().replace('.000', '')

/** The part of a Kubernetes API server that the controller needs, in memory and on a virtual clock. */
export class MemoryCluster {
  readonly kronJobs = new Map<string, KronJob>()
  readonly jobs = new Map<string, StoredJob>()
  readonly watchers = new Set<Watcher>()
  /** The Jobs that a status has ever announced, with the `at` of the last announcement. */
  readonly announced = new Map<string, string>()
  /** Called for every Job that is created. */
  onJob: (job: StoredJob) => void = () => {}
  /** The number of Jobs that were ever created. */
  created = 0
  readonly #clock: Clock
  #version = 100

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(name: string, spec: KronJobSpec): KronJob {
    const kronJob: KronJob = {
      apiVersion: 'kron.io/v1alpha1',
      kind: 'KronJob',
      metadata: {
        namespace: NAMESPACE,
        name,
        uid: `uid-${name}`,
        resourceVersion: this.#next(),
        generation: 1,
        creationTimestamp: printTime(this.#clock.now()),
      },
      spec,
    }
    this.#store(kronJob)
    return kronJob
  }

  /** Changes the spec of a KronJob, as a user does. */
  edit(name: string, spec: KronJobSpec): void {
    const kronJob = this.kronJobs.get(name)!
    const { generation = 0 } = kronJob.metadata
    const metadata = { ...kronJob.metadata, generation: generation + 1, resourceVersion: this.#next() }
    this.#store({ ...kronJob, metadata, spec })
  }

  /** The API as one client sees it. `fateOf` decides about every request; a dead client gets no answers. */
  apiFor(fateOf: (method: Method, path: string) => Fate, isDead: () => boolean, asked: Asked[]): Api {
    const call = async (method: Method, path: string, { body, query }: Call = {}): Promise<unknown> => {
      if (isDead()) return new Promise(() => {})
      const isDryRun = query?.['dryRun'] !== undefined
      const at = this.#clock.now()
      const request: Asked = { method, path, body, isDryRun, at, isAnswered: false }
      asked.push(request)
      const { delay, refusal, unsent, happens, isLie, answered } = fateOf(method, path)
      await this.#pass(delay[0])
      let answer: unknown
      if (happens)
        try {
          if (refusal) throw new ApiError(refusal.status, refusal, method)
          answer = structuredClone(this.#act(method, path, body, isDryRun))
          if (isLie) throw new ApiError(503, { message: 'the server is down' }, method)
        } catch (error) {
          answer = error
        }
      await this.#pass(delay[1])
      if (isDead()) return new Promise(() => {})
      const code = unsent ? 'ECONNREFUSED' : 'ECONNRESET'
      if (!answered) throw ApiError.unreachable(Object.assign(new Error(code), { code }), method)
      request.isAnswered = true
      if (answer instanceof Error) throw answer
      return answer
    }
    return { call, get: (path: string) => call('GET', path) } as unknown as Api
  }

  /** Ends a Job that still exists. */
  finish(name: string): void {
    const job = this.jobs.get(name)
    if (job === undefined) return
    const ended = { type: DONE, status: 'True', lastTransitionTime: printTime(this.#clock.now()) }
    this.#storeJob({ ...job, status: { conditions: [ended] } })
  }

  /** Deletes a Job, as the TTL controller and users do. */
  removeJob(name: string): void {
    const job = this.jobs.get(name)
    if (job === undefined) return
    this.jobs.delete(name)
    for (const watcher of this.watchers) watcher.jobGone(job)
  }

  #act(method: Method, path: string, body: unknown, isDryRun: boolean): unknown {
    const [, plural, name] = /\/(kronjobs|jobs)(?:\/([^/]+))?(?:\/status)?$/.exec(path) ?? []
    if (plural === 'kronjobs') {
      const kronJob = this.kronJobs.get(name!)
      if (kronJob === undefined) throw notFound(path)
      return method === 'PATCH' ? this.#patch(kronJob, body as StatusPatch) : kronJob
    }
    if (method === 'POST') return this.#create(body as JobManifest, isDryRun)
    const job = this.jobs.get(name!)
    if (job === undefined) throw notFound(path)
    return method === 'DELETE' ? this.#delete(job, body as DeleteOptions) : job
  }

  /** With `Foreground`, a Job stays until its pods are gone. */
  #delete(job: StoredJob, { propagationPolicy, preconditions }: DeleteOptions): StoredJob {
    const { name, uid } = job.metadata
    if (preconditions.uid !== uid)
      throw new ApiError(409, { reason: 'Conflict', message: 'the UID differs' }, 'delete')
    if (propagationPolicy === 'Foreground' && job.status.conditions === undefined) {
      const deletionTimestamp = printTime(this.#clock.now())
      this.#clock.setTimer(PODS_END, () => this.removeJob(name))
      return this.#storeJob({ ...job, metadata: { ...job.metadata, deletionTimestamp } })
    }
    this.removeJob(name)
    return job
  }

  #patch(kronJob: KronJob, { metadata, status }: StatusPatch): KronJob {
    if (metadata.resourceVersion !== kronJob.metadata.resourceVersion)
      throw new ApiError(409, { reason: 'Conflict', message: 'the object has been modified' }, 'patch')
    const merged = merge(kronJob.status ?? {}, status) as KronJobStatus
    const written = {
      ...kronJob,
      metadata: { ...kronJob.metadata, resourceVersion: this.#next() },
      status: merged,
    }
    this.#store(written)
    return written
  }

  #create(body: JobManifest, isDry: boolean): unknown {
    if (this.jobs.has(body.metadata.name))
      throw new ApiError(409, { reason: 'AlreadyExists', message: 'already exists' }, 'post')
    if (isDry) return body
    const version = this.#next()
    const job: StoredJob = {
      ...structuredClone(body),
      metadata: {
        ...structuredClone(body.metadata),
        uid: `job-${version}`,
        resourceVersion: version,
        creationTimestamp: printTime(this.#clock.now()),
      },
      status: {},
    }
    const stored = this.#storeJob(job)
    this.created++
    this.onJob(stored)
    return stored
  }

  #store(kronJob: KronJob): void {
    this.kronJobs.set(kronJob.metadata.name, kronJob)
    const { intent } = kronJob.status ?? {}
    if (intent) this.announced.set(intent.jobName, intent.at)
    for (const watcher of this.watchers) watcher.kronJob(kronJob)
  }

  #storeJob(job: StoredJob): StoredJob {
    const stored = { ...job, metadata: { ...job.metadata, resourceVersion: this.#next() } }
    this.jobs.set(job.metadata.name, stored)
    for (const watcher of this.watchers) watcher.job(stored)
    return stored
  }

  #pass(milliseconds: number): Promise<void> {
    return new Promise(done => void this.#clock.setTimer(milliseconds, done))
  }

  #next(): string {
    return String(++this.#version)
  }
}

interface DeleteOptions {
  readonly propagationPolicy: string
  readonly preconditions: { readonly uid: string }
}

interface StatusPatch {
  readonly metadata: { readonly resourceVersion: string }
  readonly status: Readonly<Record<string, unknown>>
}

const notFound = (path: string): ApiError =>
  new ApiError(404, { reason: 'NotFound', message: `${path} not found` }, 'get')

/** A JSON merge patch. */
function merge(before: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(before) ? { ...before } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = merge(merged[key], value)
  }
  return merged
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
