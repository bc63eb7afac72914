import { setImmediate as macrotask } from 'node:timers/promises'
import { VirtualClock } from '@kron/runtime'
import type { Method } from '../../../../operator/src/cluster/api.ts'
import type { KronJobSpec } from '../../../../operator/src/manifest/kronjob.ts'
import { type Fate, MemoryCluster } from './memory-cluster.ts'
import { Replica } from './replica.ts'

const START = Date.parse('2026-03-01T00:00:30Z')
/** Longer than any scene, in milliseconds. */
const NEVER = 3_600_000

export const AT_ONCE: Fate = { delay: [1, 1], happens: true, answered: true }
export const UNANSWERED: Fate = { delay: [NEVER, 0], happens: true, answered: true }

/** A schedule that is due half a minute after a scene begins, and then after a year. */
export const NEXT_MINUTE = '1 0 1 3 *'

export const specOf = (schedule: string, image = 'busybox'): KronJobSpec => ({
  schedule,
  policy: { deadline: '10m' },
  jobTemplate: { spec: { template: { spec: { containers: [{ name: 'main', image }] } } } },
})

export interface Scene {
  readonly cluster: MemoryCluster
  /** A replica whose requests meet the given fates. */
  replica(fateOf: (path: string, method: Method) => Fate): Replica
  pass(seconds: number): Promise<void>
  /** Lets the replicas do everything for which no time has to pass. */
  settle(): Promise<void>
}

/** A cluster in memory without KronJobs, half a minute before the next one. */
export function scene(): Scene {
  const clock = new VirtualClock({ now: START })
  const cluster = new MemoryCluster(clock)
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 100; i++) await macrotask()
  }
  return {
    cluster,
    settle,
    pass: seconds => clock.run(seconds * 1000, settle),
    replica: fateOf =>
      new Replica({
        cluster,
        clock,
        random: () => 0.5,
        fateOf: (method, path) => fateOf(path, method),
        lag: () => 1,
        log: () => {},
      }),
  }
}
