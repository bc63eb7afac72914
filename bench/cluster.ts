// KronJobs beside as many CronJobs, on one control plane: `npm run bench:cluster -- --count 1000 --due 200`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { decide, printInstant } from '@kron/core'
import { systemClock } from '@kron/runtime'
import { startReplica } from '../packages/operator/e2e/support/replica.ts'
import { createWorld, type World } from '../packages/operator/e2e/support/world.ts'
import { jobsPath, kronJobsPath } from '../packages/operator/src/cluster/paths.ts'
import { Reflector } from '../packages/operator/src/cluster/reflector.ts'
import type { KronJobSpec, Metadata } from '../packages/operator/src/manifest/kronjob.ts'
import { jobOf, parseSpec } from '../packages/operator/src/manifest/parse.ts'
import { hasGo } from '../test/cluster/binaries.ts'
import { until } from '../test/cluster/until.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    due: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
  },
})
const [count, due, rounds] = [Number(values.count), Number(values.due), Number(values.rounds)]
if (!hasGo()) {
  console.log('cluster benchmark skipped: Go is needed to build a control plane')
  process.exit(0)
}

const NAMESPACE = 'bench'
const NEVER = '0 0 29 2 *'
/** A Job of no pods completes at once: what is measured is who creates and clears it, not who runs it. */
const templateFor = (kind: string) => ({
  metadata: { labels: { bench: kind } },
  spec: {
    completions: 0,
    parallelism: 0,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } },
  },
})

const kronSpec = (schedule: string, rest: Partial<KronJobSpec> = {}): KronJobSpec => ({
  schedule,
  policy: { deadline: '30m' },
  history: { successful: 0, failed: 0 },
  jobTemplate: templateFor('kron'),
  ...rest,
})
const cronSpec = (schedule: string) => ({
  schedule,
  timeZone: 'Etc/UTC',
  successfulJobsHistoryLimit: 0,
  jobTemplate: templateFor('cron'),
})

async function createMany(world: World, path: string, bodies: readonly object[]): Promise<void> {
  const queue = bodies.values()
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      for (const body of queue) await world.api.call('POST', path, { body })
    }),
  )
}

const kronJob = (name: string, spec: KronJobSpec) => ({
  apiVersion: 'kron.io/v1alpha1',
  kind: 'KronJob',
  metadata: { name },
  spec,
})
const cronJob = (name: string, spec: object) => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name },
  spec,
})
const names = (prefix: string, length: number): string[] => Array.from({ length }, (_, i) => `${prefix}-${i}`)

/** When each Job was first seen, by the name of its owner. */
function watchStarts(world: World): Map<string, number> {
  const seen = new Map<string, number>()
  const see = ({ metadata }: { metadata: Metadata }): void => {
    const owner = metadata.ownerReferences?.[0]?.name ?? ''
    if (!seen.has(owner)) seen.set(owner, Date.now())
  }
  const into = {
    replace: (jobs: readonly { metadata: Metadata }[]) => jobs.forEach(see),
    put: see,
    remove: () => {},
  }
  const reflector = new Reflector({
    api: world.api,
    path: jobsPath(NAMESPACE),
    labelSelector: 'bench',
    clock: systemClock,
    into,
  })
  void reflector.run(new AbortController().signal)
  return seen
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN

interface Lateness {
  readonly p50: number
  readonly p99: number
  readonly last: number
}

function latenessOf(seen: ReadonlyMap<string, number>, chosen: ReadonlyMap<string, number>): Lateness {
  const all = [...chosen]
    .map(([name, at]) => (seen.get(name) ?? Number.NaN) / 1000 - at)
    .sort((a, b) => a - b)
  return { p50: quantile(all, 0.5), p99: quantile(all, 0.99), last: all.at(-1)! }
}

const show = ({ p50, p99, last }: Lateness): string =>
  `p50 ${p50.toFixed(2)} s, p99 ${p99.toFixed(2)} s, last ${last.toFixed(2)} s`

const median = (numbers: readonly number[]): number =>
  quantile(
    [...numbers].sort((a, b) => a - b),
    0.5,
  )

const minuteCron = (at: number): string =>
  `${new Date(at * 1000).getUTCMinutes()} ${new Date(at * 1000).getUTCHours()} * * *`

async function metric(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (.*)$`, 'm').exec(text)?.[1])
}

/** Requests by client between two instants, watches and leases set aside. */
function requests(directory: string, from: number, to: number, client: RegExp): number {
  let total = 0
  for (const line of readFileSync(join(directory, 'audit.log'), 'utf8').split('\n')) {
    if (line === '') continue
    const { userAgent, requestReceivedTimestamp, verb, objectRef } = JSON.parse(line)
    const at = Date.parse(requestReceivedTimestamp) / 1000
    if (at < from || at >= to || verb === 'watch' || objectRef?.resource === 'leases') continue
    if (client.test(userAgent ?? '')) total++
  }
  return total
}

const OPERATOR = /^kron-operator/
const CRON_CONTROLLER = /cronjob-controller/

const world = await createWorld({ audit: true, controllers: ['cronjob-controller', 'job-controller'] })
const { directory } = world.plane
try {
  await world.namespace(NAMESPACE)
  const idle = count - due * (rounds + 1)
  console.log(`creating ${idle} idle KronJobs and CronJobs`)
  await createMany(
    world,
    kronJobsPath(NAMESPACE),
    names('idle', idle).map(name => kronJob(name, kronSpec(NEVER))),
  )
  await createMany(
    world,
    `/apis/batch/v1/namespaces/${NAMESPACE}/cronjobs`,
    names('idle', idle).map(name => cronJob(name, cronSpec(NEVER))),
  )

  const launched = performance.now()
  const replica = await startReplica(world, { name: 'bench', namespace: NAMESPACE })
  await replica.leading()
  const pending = async (): Promise<boolean> => (await metric(replica.port, 'kron_timers')) >= idle
  await until('every KronJob has its timer', pending, { within: 900_000, every: 500 })
  console.log(
    `first start: every KronJob tried, decided and armed in ${((performance.now() - launched) / 1000).toFixed(1)} s`,
  )
  await replica.kill('SIGTERM')

  const again = performance.now()
  const operator = await startReplica(world, { name: 'bench', namespace: NAMESPACE })
  const armed = async (): Promise<boolean> => (await metric(operator.port, 'kron_timers')) >= idle
  await until('every KronJob has its timer again', armed, { within: 300_000 })
  console.log(`restart: ready in ${((performance.now() - again) / 1000).toFixed(1)} s`)

  const quiet = Date.now() / 1000
  await pause(60_000)
  const rss = (await metric(operator.port, 'process_resident_memory_bytes')) / 2 ** 20
  console.log(
    `idle: ${requests(directory, quiet, quiet + 60, OPERATOR)} requests a minute beyond watches and lease, RSS ${rss.toFixed(0)} MiB`,
  )

  const seen = watchStarts(world)
  const first = Math.ceil((Date.now() / 1000 + 45 + due / 20) / 60) * 60
  const spread = first + 2 * rounds * 60
  const kronAt = (round: number): number => first + 2 * round * 60
  for (let round = 0; round < rounds; round++) {
    const [kron, cron] = [minuteCron(kronAt(round)), minuteCron(kronAt(round) + 60)]
    await createMany(
      world,
      kronJobsPath(NAMESPACE),
      names(`kron-${round}`, due).map(name => kronJob(name, kronSpec(kron))),
    )
    const cronJobs = names(`cron-${round}`, due).map(name => cronJob(name, cronSpec(cron)))
    await createMany(world, `/apis/batch/v1/namespaces/${NAMESPACE}/cronjobs`, cronJobs)
  }
  const windowed = kronSpec(minuteCron(spread), { window: { mode: 'after', duration: '59s' } })
  await createMany(
    world,
    kronJobsPath(NAMESPACE),
    names('spread', due).map(name => kronJob(name, windowed)),
  )
  const ready = async (): Promise<boolean> => (await metric(operator.port, 'kron_timers')) >= count
  await until('all are armed', ready, { within: 300_000 })
  if (Date.now() / 1000 > first)
    throw new Error('the machine is too slow for this many: lower --due or --count')

  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const at = kronAt(round)
    await until('the minutes have passed', () => Date.now() / 1000 > at + 118, {
      within: 3_600_000,
      every: 1_000,
    })
    const kron = latenessOf(seen, new Map(names(`kron-${round}`, due).map(name => [name, at])))
    const cron = latenessOf(seen, new Map(names(`cron-${round}`, due).map(name => [name, at + 60])))
    ratios.push(cron.p99 / kron.p99)
    console.log(`round ${round + 1}, ${due} due in one second: KronJob ${show(kron)}; CronJob ${show(cron)}`)
    const [ours, theirs] = [
      requests(directory, at, at + 60, OPERATOR),
      requests(directory, at + 60, at + 120, CRON_CONTROLLER),
    ]
    console.log(
      `  requests per started Job: KronJob ${(ours / due).toFixed(2)}, CronJob ${(theirs / due).toFixed(2)}`,
    )
  }
  await until('the spread minute has passed', () => Date.now() / 1000 > spread + 70, {
    within: 600_000,
    every: 1_000,
  })
  const chosen = new Map(
    names('spread', due).map(name => {
      const read = parseSpec(windowed)
      if (!read.ok) throw new Error('the bench has a bad spec')
      return [name, decide(jobOf(`${NAMESPACE}/${name}`, read.schedule), spread).chosen!]
    }),
  )
  console.log(`${due} spread over the minute of ${printInstant(spread)}: ${show(latenessOf(seen, chosen))}`)
  console.log(
    `p99 of CronJob / p99 of KronJob: median ${median(ratios).toFixed(1)}, range ${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)}`,
  )
  await operator.kill('SIGTERM')
} finally {
  await world.plane.stop()
}
process.exit(0)
