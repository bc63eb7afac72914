import { systemClock } from '@kron/runtime'
import type { World } from '../../../packages/operator/e2e/support/world.ts'
import { jobsPath } from '../../../packages/operator/src/cluster/paths.ts'
import { Reflector } from '../../../packages/operator/src/cluster/reflector.ts'
import type { Metadata } from '../../../packages/operator/src/manifest/kronjob.ts'
import { CHOSEN_LABEL } from '../../../packages/operator/src/plan/names.ts'
import { NAMESPACE } from './objects.ts'

const SCHEDULED = 'batch.kubernetes.io/cronjob-scheduled-timestamp'

interface JobObject {
  readonly metadata: Metadata
}

/** How late Jobs came, in seconds. */
export interface Lateness {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly last: number
}

/** When every Job was first seen by a watch of its own, beside the second for which it was meant. */
export class Starts {
  readonly #seen = new Map<string, { readonly owner: string; readonly meant: number; readonly at: number }>()

  constructor(world: World) {
    const see = (job: JobObject): void => this.#see(job)
    const reflector = new Reflector<JobObject>({
      api: world.api,
      path: jobsPath(NAMESPACE),
      labelSelector: 'bench',
      clock: systemClock,
      into: { retain: () => {}, put: see, remove: () => {} },
    })
    void reflector.run(new AbortController().signal)
  }

  #see({ metadata }: JobObject): void {
    if (this.#seen.has(metadata.uid)) return
    const owner = metadata.ownerReferences?.[0]?.name ?? ''
    this.#seen.set(metadata.uid, { owner, meant: meantFor(metadata), at: Date.now() / 1000 })
  }

  /** Of the group's Jobs that were meant for the minute. */
  lateness(prefix: string, minute: number): Lateness {
    const late = [...this.#seen.values()]
      .filter(({ owner, meant }) => owner.startsWith(`${prefix}-`) && meant >= minute && meant < minute + 60)
      .map(({ meant, at }) => at - meant)
      .sort((a, b) => a - b)
    const quantile = (q: number): number =>
      late[Math.min(late.length - 1, Math.floor(q * late.length))] ?? Number.NaN
    return { count: late.length, p50: quantile(0.5), p99: quantile(0.99), last: quantile(1) }
  }
}

function meantFor({ labels, annotations }: Metadata): number {
  const label = labels?.[CHOSEN_LABEL]?.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')
  return Date.parse(label ?? annotations?.[SCHEDULED] ?? '') / 1000
}
