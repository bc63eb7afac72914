import { type KronJob, keyOf } from '../../manifest/kronjob.ts'
import type { Plan } from '../../plan/plan.ts'
import { statusPatch } from '../write/status-patch.ts'

interface Written {
  readonly kronJob: KronJob
  readonly plan: Plan
}

/**
 * Plans whose status was sent, but whose answer was lost. If the status is found in the KronJob later, its outcomes are
 * reported then; nobody else would report them.
 */
export class UnconfirmedWrites {
  readonly #plans = new Map<string, Written>()

  add(kronJob: KronJob, plan: Plan): void {
    this.#plans.set(keyOf(kronJob), { kronJob, plan })
  }

  has(key: string): boolean {
    return this.#plans.has(key)
  }

  /** Looks at a version of the KronJob. Returns the plan if that is its status. */
  settle(key: string, seen: KronJob | undefined): Written | undefined {
    const sent = this.#plans.get(key)
    if (sent === undefined) return undefined
    const { uid, resourceVersion } = sent.kronJob.metadata
    if (seen?.metadata.resourceVersion === resourceVersion) return undefined
    this.#plans.delete(key)
    const isWritten = seen?.metadata.uid === uid && !statusPatch(seen.status ?? {}, sent.plan.status)
    return isWritten ? sent : undefined
  }
}
