import { Cache } from '../../cluster/cache.ts'
import type { KronJob } from '../../manifest/kronjob.ts'
import { type JobObject, type ObservedJob, observeJob } from '../../plan/job.ts'

/** The known Jobs. `onChange` is called with the key of the KronJob that is their owner. */
export class JobCache extends Cache<JobObject, ObservedJob> {
  readonly #index: JobIndex

  constructor(onChange: (key: string) => void) {
    const index = new JobIndex()
    super(observeJob, (_key, before, after) => {
      index.change(before, after)
      const { namespace, ownerName } = (after ?? before)!
      if (ownerName) onChange(`${namespace}/${ownerName}`)
    })
    this.#index = index
  }

  /** The Jobs of the KronJob. */
  of(kronJob: KronJob): ObservedJob[] {
    return this.#index.of(kronJob)
  }
}

/**
 * The Jobs of each KronJob. An owner reference is only a claim: the Job must be in the owner's namespace, and the
 * reference must have both the UID and the name of the owner.
 */
export class JobIndex {
  readonly #byOwner = new Map<string, Map<string, ObservedJob>>()

  change(before: ObservedJob | undefined, after: ObservedJob | undefined): void {
    if (before?.ownerUid) {
      const siblings = this.#byOwner.get(ownerKey(before))
      siblings?.delete(before.name)
      if (siblings?.size === 0) this.#byOwner.delete(ownerKey(before))
    }
    if (!after?.ownerUid) return
    const siblings = this.#byOwner.get(ownerKey(after))
    if (siblings) siblings.set(after.name, after)
    else this.#byOwner.set(ownerKey(after), new Map([[after.name, after]]))
  }

  of({ metadata: { namespace, name, uid } }: KronJob): ObservedJob[] {
    return [...(this.#byOwner.get(ownerKey({ namespace, ownerName: name, ownerUid: uid }))?.values() ?? [])]
  }
}

const ownerKey = (job: Pick<ObservedJob, 'namespace' | 'ownerName' | 'ownerUid'>): string =>
  `${job.namespace}/${job.ownerName}/${job.ownerUid}`
