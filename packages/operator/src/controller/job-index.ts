import type { KronJob } from '../manifest/kronjob.ts'
import type { ObservedJob } from '../plan/job.ts'

/** The Jobs of each KronJob. */
export class JobIndex {
  readonly #byOwner = new Map<string, Map<string, ObservedJob>>()

  change(before: ObservedJob | undefined, after: ObservedJob | undefined): void {
    if (before) {
      const siblings = this.#byOwner.get(before.ownerUid)
      siblings?.delete(before.name)
      if (siblings?.size === 0) this.#byOwner.delete(before.ownerUid)
    }
    if (!after?.ownerUid) return
    const siblings = this.#byOwner.get(after.ownerUid)
    if (siblings) siblings.set(after.name, after)
    else this.#byOwner.set(after.ownerUid, new Map([[after.name, after]]))
  }

  of({ metadata }: KronJob): ObservedJob[] {
    return [...(this.#byOwner.get(metadata.uid)?.values() ?? [])]
  }
}
