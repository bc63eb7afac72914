import { systemClock } from '@kron/runtime'
import { contradictionsIn, type ToldOutcome } from '@kron/testkit/operator/contradictions'
import { jobsPath } from '../../src/cluster/paths.ts'
import { Reflector } from '../../src/cluster/reflector.ts'
import { NAME_LABEL, PERIOD_LABEL } from '../../src/plan/names.ts'
import type { JobObject } from './kron-jobs.ts'
import { loggedPeriods } from './operator-log.ts'
import { grantedCreations } from './requests.ts'
import type { World } from './world.ts'

/** Every Job that a KronJob ever had, recorded by a separate watch: `name period` → UIDs. */
export class Audit {
  readonly #world: World
  readonly #namespace: string
  readonly #uids = new Map<string, Set<string>>()
  readonly #byJob = new Map<string, Set<string>>()
  readonly #stop = new AbortController()
  readonly #done: Promise<void>

  constructor(world: World, namespace: string) {
    this.#world = world
    this.#namespace = namespace
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
    for (const [map, name] of [
      [this.#uids, key],
      [this.#byJob, metadata.name],
    ] as const)
      map.set(name, (map.get(name) ?? new Set()).add(metadata.uid))
  }

  /** The periods that had a Job, for one KronJob or for all. */
  periods(name?: string): string[] {
    return [...this.#uids.keys()].filter(key => name === undefined || key.startsWith(`${name} `))
  }

  /** The number of Jobs that a period ever had. */
  count(name: string, period: string): number {
    return this.#uids.get(`${name} ${period}`)?.size ?? 0
  }

  /** The contradictions between Jobs, the API server's audit log, the replicas' logs and statuses. There must be none. */
  contradictions(told: readonly ToldOutcome[] = []): string[] {
    return contradictionsIn({
      seen: this.#byJob,
      granted: grantedCreations(this.#world, this.#namespace),
      logged: loggedPeriods(this.#world, this.#namespace),
      told,
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#done
  }
}
