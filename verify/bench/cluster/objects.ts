import type { World } from '../../../packages/operator/e2e/support/world.ts'
import { kronJobsPath } from '../../../packages/operator/src/cluster/paths.ts'
import type { KronJobSpec } from '../../../packages/operator/src/manifest/kronjob.ts'

export const NAMESPACE = 'bench'
const AT_ONCE = 24
const CRON_JOBS = `/apis/batch/v1/namespaces/${NAMESPACE}/cronjobs`

/** A Job without pods completes at once: the benchmark measures who creates and clears it, not who runs it. */
const jobTemplate = {
  metadata: { labels: { bench: 'true' } },
  spec: {
    completions: 0,
    parallelism: 0,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } },
  },
}

export interface Group {
  /** The names are `<prefix>-<number>`. */
  readonly prefix: string
  readonly count: number
  readonly schedule: string
}

export function createKronJobs(
  world: World,
  { prefix, count, schedule }: Group,
  window: KronJobSpec['window'] = {},
): Promise<void> {
  const spec: KronJobSpec = {
    schedule,
    window,
    policy: { deadline: '30m' },
    history: { successful: 0, failed: 0 },
    jobTemplate,
  }
  const body = (name: string) => ({
    apiVersion: 'kron.io/v1alpha1',
    kind: 'KronJob',
    metadata: { name },
    spec,
  })
  return createAll(world, kronJobsPath(NAMESPACE), names(prefix, count).map(body))
}

export function createCronJobs(world: World, { prefix, count, schedule }: Group): Promise<void> {
  const spec = { schedule, timeZone: 'Etc/UTC', successfulJobsHistoryLimit: 0, jobTemplate }
  const body = (name: string) => ({ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name }, spec })
  return createAll(world, CRON_JOBS, names(prefix, count).map(body))
}

const names = (prefix: string, length: number): string[] => Array.from({ length }, (_, i) => `${prefix}-${i}`)

async function createAll(world: World, path: string, bodies: readonly object[]): Promise<void> {
  const queue = bodies.values()
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const body of queue) await world.api.call('POST', path, { body })
  })
  await Promise.all(workers)
}
