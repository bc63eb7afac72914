import type { Api } from '../../cluster/api.ts'
import { ApiError, isAlreadyThere, isConflict, isNotFound } from '../../cluster/api-error.ts'
import { dryRunFailureOf, type Failure, failureOf } from '../../cluster/failure.ts'
import { jobsPath, kronJobsPath, statusPath } from '../../cluster/paths.ts'
import type { KronJob, KronJobStatus } from '../../manifest/kronjob.ts'
import { type JobManifest, type JobObject, type ObservedJob, observeJob } from '../../plan/job.ts'
import { PERIOD_LABEL } from '../../plan/names.ts'
import { statusPatch } from './status-patch.ts'

export type Creation = { readonly job: JobObject; readonly isNew: boolean } | { readonly failure: Failure }

export interface WriterOptions {
  readonly api: Api
  /** Milliseconds for which no other replica can lead; 0 without the lease. A write takes no longer. */
  readonly leaseLeft: () => number
}

const LONGEST_WRITE = 10_000

/** Thrown instead of writing without the lease. */
export class NotLeading extends Error {
  override readonly name = 'NotLeading'
}

/** The controller's requests to the API server. A write needs the lease. */
export class Writer {
  readonly #api: Api
  readonly #leaseLeft: () => number

  constructor({ api, leaseLeft }: WriterOptions) {
    this.#api = api
    this.#leaseLeft = leaseLeft
  }

  read(kronJob: KronJob): Promise<KronJob> {
    return this.#api.get(kronJobsPath(kronJob.metadata.namespace, kronJob.metadata.name))
  }

  /** Returns the KronJob with its new status, or undefined if nothing changed. Fails after another writer's change. */
  async writeStatus({ metadata, status }: KronJob, after: KronJobStatus): Promise<KronJob | undefined> {
    const patch = statusPatch(status ?? {}, after)
    if (patch === undefined) return undefined
    const body = { metadata: { resourceVersion: metadata.resourceVersion, uid: metadata.uid }, status: patch }
    return this.#write('PATCH', statusPath(metadata.namespace, metadata.name), { body })
  }

  /** The Job with that name, read from the API server. Undefined if there is none. */
  async readJob(namespace: string, name: string): Promise<JobObject | undefined> {
    try {
      return await this.#api.get<JobObject>(jobsPath(namespace, name))
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  /** "Already exists" is a success if the Job belongs to the same period of the same KronJob. */
  async createJob(job: JobManifest): Promise<Creation> {
    try {
      const created = await this.#write<JobObject>('POST', jobsPath(job.metadata.namespace), { body: job })
      return { job: created, isNew: true }
    } catch (error) {
      if (isAlreadyThere(error)) return this.#existing(job)
      if (error instanceof ApiError) return { failure: failureOf(error) }
      throw error
    }
  }

  async #existing(job: JobManifest): Promise<Creation> {
    const { namespace, name, labels, ownerReferences } = job.metadata
    const existing = await this.readJob(namespace, name)
    if (existing === undefined) {
      const message = `a Job named ${name} was there and is gone again`
      return { failure: { reason: 'NameConflict', message, certain: true } }
    }
    const owned = observeJob(existing).ownerUid === ownerReferences[0]!.uid
    if (owned && existing.metadata.labels?.[PERIOD_LABEL] === labels[PERIOD_LABEL])
      return { job: existing, isNew: false }
    const message = `a Job named ${name} exists already and is not this KronJob's for the period; delete or rename it`
    return { failure: { reason: 'NameConflict', message, certain: true } }
  }

  /** With `Foreground`, the Job stays until its pods are gone. Returns the dying Job, or undefined if it is gone. */
  async deleteJob(
    job: ObservedJob,
    propagationPolicy: 'Foreground' | 'Background',
  ): Promise<JobObject | undefined> {
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy,
      preconditions: { uid: job.uid },
    }
    try {
      const answer = await this.#write<Partial<JobObject>>('DELETE', jobsPath(job.namespace, job.name), {
        body,
      })
      return answer.metadata?.uid === job.uid ? (answer as JobObject) : undefined
    } catch (error) {
      // The Job is gone or replaced by another object. In both cases there is nothing to delete.
      if (isNotFound(error) || isConflict(error)) return undefined
      throw error
    }
  }

  /** The reason why the API server would refuse such a Job, if it would. Unknown fields are mistakes too. */
  async tryJob(job: JobManifest): Promise<Failure | undefined> {
    const query = { dryRun: 'All', fieldValidation: 'Strict' }
    try {
      await this.#write('POST', jobsPath(job.metadata.namespace), { body: job, query })
      return undefined
    } catch (error) {
      if (isAlreadyThere(error)) {
        const existing = await this.#existing(job)
        return 'failure' in existing ? existing.failure : undefined
      }
      if (error instanceof ApiError) return dryRunFailureOf(error)
      throw error
    }
  }

  #write<T>(...[method, path, call]: Parameters<Api['call']>): Promise<T> {
    const left = this.#leaseLeft()
    if (left <= 0) throw new NotLeading('the lease is not held')
    return this.#api.call<T>(method, path, { ...call, timeout: Math.min(LONGEST_WRITE, left) })
  }
}
