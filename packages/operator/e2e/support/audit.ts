import { systemClock } from '@kron/runtime'
import { jobsPath } from '../../src/cluster/paths.ts'
import { Reflector } from '../../src/cluster/reflector.ts'
import { NAME_LABEL, PERIOD_LABEL } from '../../src/plan/names.ts'
import type { JobObject } from './kron-jobs.ts'
import type { World } from './world.ts'

/** Every Job that a KronJob ever had, recorded by a separate watch: `ns/name period` → UIDs. */
export class Audit {
  readonly #uids = new Map<string, Set<string>>()
  readonly #stop = new AbortController()
  readonly #done: Promise<void>

  constructor(world: World, namespace: string) {
    const see = (job: JobObject): void => this.#see(job)
    const reflector = new Reflector<JobObject>({
      api: world.api,
      path: jobsPath(namespace),
      labelSelector: NAME_LABEL,
      clock: systemClock,
      into: { retain: () => {}, put: see, remove: see },
    })
    this.#done = reflector.run(this.#stop.signal)
  }

  #see({ metadata }: JobObject): void {
    const key = `${metadata.labels?.[NAME_LABEL]} ${metadata.labels?.[PERIOD_LABEL]}`
    const uids = this.#uids.get(key) ?? new Set()
    this.#uids.set(key, uids.add(metadata.uid))
  }

  /** The periods that had a Job, for one KronJob or for all. */
  periods(name?: string): string[] {
    return [...this.#uids.keys()].filter(key => name === undefined || key.startsWith(`${name} `))
  }

  /** The number of Jobs that a period ever had. */
  count(name: string, period: string): number {
    return this.#uids.get(`${name} ${period}`)?.size ?? 0
  }

  /** The periods that had more than one Job. There must be none. */
  get duplicates(): string[] {
    return [...this.#uids].filter(([, uids]) => uids.size > 1).map(([key]) => key)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#done
  }
}
