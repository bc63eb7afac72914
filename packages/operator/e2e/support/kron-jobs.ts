import { decide, type Job, next, printInstant } from '@kron/core'
import { until } from '../../../../verify/cluster/until.ts'
import { isNotFound } from '../../src/cluster/api-error.ts'
import { jobsPath, kronJobsPath } from '../../src/cluster/paths.ts'
import type { KronJob, KronJobSpec, Metadata } from '../../src/manifest/kronjob.ts'
import { jobOf, parseSpec } from '../../src/manifest/parse.ts'
import { labelTime, NAME_LABEL, PERIOD_LABEL } from '../../src/plan/names.ts'
import type { World } from './world.ts'

export interface JobObject {
  readonly metadata: Metadata
  readonly status?: { readonly active?: number; readonly succeeded?: number; readonly failed?: number }
}

export interface Named {
  readonly namespace: string
  readonly name: string
}

export type Run = 'succeeds' | 'fails' | 'runs'

const COMMAND: Readonly<Record<Run, string>> = { succeeds: 'true', fails: 'false', runs: 'sleep 3600' }

/** A Job whose pod succeeds, fails or never ends, both under kwok and on a real node. */
export function template(
  world: World,
  run: Run,
  rest: Record<string, unknown> = {},
): KronJobSpec['jobTemplate'] {
  return {
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { labels: { 'kron-test/run': run } },
        spec: {
          ...(world.own && { nodeName: 'kwok' }),
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 1,
          containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', COMMAND[run]] }],
        },
      },
      ...rest,
    },
  }
}

export function jobFrom(named: Named, spec: KronJobSpec): Job {
  const read = parseSpec(spec)
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  return jobOf(`${named.namespace}/${named.name}`, read.schedule)
}

export const createdAt = ({ metadata }: KronJob): number => Date.parse(metadata.creationTimestamp) / 1000

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

/** The first periods of a spec whose windows open at or after an instant. */
export function periodsFrom(job: Job, opens: number, count: number): ReturnType<typeof decide>[] {
  const { cron, zone } = job.schedule
  const periods: ReturnType<typeof decide>[] = []
  for (
    let nominal = next(cron, zone, opens - 1)!;
    periods.length < count;
    nominal = next(cron, zone, nominal)!
  ) {
    const decision = decide(job, nominal)
    if (decision.windowStart >= opens) periods.push(decision)
  }
  return periods
}

/** A minutely spec with a period that starts within seconds, so that a test need not wait for the next minute. */
export function soon(named: Named, spec: Omit<KronJobSpec, 'schedule'>, after = 4): KronJobSpec {
  const opens = nowSeconds() + 3
  const nominal = Math.ceil((opens + 10) / 60) * 60
  const window = { mode: 'before', duration: `${nominal - opens}s` }
  for (let salt = 0; ; salt++) {
    const candidate: KronJobSpec = { schedule: '* * * * *', window, seed: { salt: String(salt) }, ...spec }
    const [first] = periodsFrom(jobFrom(named, candidate), opens, 1)
    const wanted = opens - 3 + after
    if (first?.chosen !== null && first!.chosen >= wanted && first!.chosen <= wanted + 2) return candidate
  }
}

export function create(world: World, { namespace, name }: Named, spec: KronJobSpec): Promise<KronJob> {
  const body = { apiVersion: 'kron.io/v1alpha1', kind: 'KronJob', metadata: { namespace, name }, spec }
  return world.api.call('POST', kronJobsPath(namespace), { body })
}

export const read = (world: World, { namespace, name }: Named): Promise<KronJob> =>
  world.api.get(kronJobsPath(namespace, name))

export const edit = (world: World, { namespace, name }: Named, spec: object): Promise<KronJob> =>
  world.api.call('PATCH', kronJobsPath(namespace, name), { body: { spec } })

/** Deletes a KronJob and waits until it and its Jobs are gone. */
export async function remove(world: World, { namespace, name }: Named): Promise<void> {
  const body = { propagationPolicy: 'Foreground' }
  await world.api.call('DELETE', kronJobsPath(namespace, name), { body })
  await until(`${name} is gone`, async () => {
    return read(world, { namespace, name }).then(
      () => false,
      error => isNotFound(error),
    )
  })
}

export async function jobsOf(world: World, { namespace, name }: Named): Promise<readonly JobObject[]> {
  const query = { labelSelector: `${NAME_LABEL}=${name}` }
  return (await world.api.get<{ items: JobObject[] }>(jobsPath(namespace), query)).items
}

export const periodOf = (job: JobObject): string => job.metadata.labels?.[PERIOD_LABEL] ?? ''

/** Waits until a KronJob satisfies a condition. A period may be up to a minute away. */
export function when(
  world: World,
  named: Named,
  what: string,
  holds: (kronJob: KronJob) => unknown,
  within = 180_000,
): Promise<KronJob> {
  return until(
    `${named.name} ${what}`,
    async () => {
      const kronJob = await read(world, named)
      return holds(kronJob) ? kronJob : undefined
    },
    { within, every: 250 },
  )
}

export const outcome = (world: World, named: Named, expected: string, within?: number): Promise<KronJob> =>
  when(world, named, `ends a period as ${expected}`, ({ status }) => status?.lastOutcome === expected, within)

export const condition = ({ status }: KronJob, type: string) =>
  status?.conditions?.find(each => each.type === type)

export { labelTime, printInstant }
