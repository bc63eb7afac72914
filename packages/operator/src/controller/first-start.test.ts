import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as macrotask } from 'node:timers/promises'
import { VirtualClock } from '@kron/runtime'
import { type Asked, type Fate, MemoryCluster } from '@kron/testkit/operator/simulation/memory-cluster'
import { Replica } from '@kron/testkit/operator/simulation/replica'
import type { KronJobSpec } from '../manifest/kronjob.ts'

const START = Date.parse('2026-03-01T00:00:30Z')
const MANY = 300
const RARE = '0 0 29 2 *'
const NEXT_MINUTE = '1 0 1 3 *'
/** Longer than any of these tests. */
const NEVER = 3_600_000
const AT_ONCE: Fate = { delay: [1, 1], happens: true, answered: true }
const UNANSWERED: Fate = { delay: [NEVER, 0], happens: true, answered: true }

const spec = (schedule: string, image = 'busybox'): KronJobSpec => ({
  schedule,
  policy: { deadline: '10m' },
  jobTemplate: { spec: { template: { spec: { containers: [{ name: 'main', image }] } } } },
})

function crowd(count = MANY) {
  const clock = new VirtualClock({ now: START })
  const cluster = new MemoryCluster(clock)
  for (let i = 0; i < count; i++) cluster.add(`rare-${i}`, spec(RARE))
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 100; i++) await macrotask()
  }
  const replica = (fateOf: (path: string) => Fate): Replica =>
    new Replica({
      cluster,
      clock,
      random: () => 0.5,
      fateOf: (_method, path) => fateOf(path),
      lag: () => 1,
      log: () => {},
    })
  return { cluster, clock, replica, settle, pass: (seconds: number) => clock.run(seconds * 1000, settle) }
}

/** The server does not answer requests about rare KronJobs, neither their statuses nor their dry runs. */
const slowForRare = (path: string): Fate => (path.includes('rare') ? UNANSWERED : AT_ONCE)

/** The steps of a KronJob, as the API server saw them. */
const stepsOf = (asked: readonly Asked[], name: string): string[] =>
  asked.flatMap(({ method, path, body, isDryRun }) => {
    const { status, metadata } = body as {
      readonly status?: { readonly intent?: { readonly jobName: string } }
      readonly metadata: { readonly name?: string }
    }
    if (method === 'PATCH') return path.includes(`/${name}/`) ? [`announces ${status?.intent?.jobName}`] : []
    if (!metadata.name?.startsWith(`${name}-`)) return []
    return [isDryRun ? 'tries the template' : `creates ${metadata.name}`]
  })

test('every KronJob has its alarm before the first status is written', async () => {
  const { replica, settle } = crowd()
  const leader = replica(() => UNANSWERED)
  await leader.lead()
  await settle()
  assert.equal(leader.armed, MANY)
  assert.ok(leader.asked.length > 0 && leader.asked.length < MANY / 10, `${leader.asked.length} requests`)
})

test('all first statuses are written in the end, and equal templates share dry runs', async () => {
  const { cluster, replica, pass } = crowd()
  const leader = replica(() => AT_ONCE)
  await leader.lead()
  await pass(20)
  const statuses = [...cluster.kronJobs.values()].map(each => each.status)
  assert.ok(statuses.every(each => each?.observedGeneration === 1 && each.intent !== undefined))
  assert.ok(leader.asked.filter(each => each.method === 'POST').length < MANY / 10)
})

test('a KronJob that falls due before its first status is announced, then started, and only then', async () => {
  const { cluster, replica, pass } = crowd()
  const leader = replica(slowForRare)
  await leader.lead()
  await pass(1)
  // The KronJob comes while the workers for first statuses wait for the server.
  cluster.add('soon', spec(NEXT_MINUTE, 'other'))
  await pass(28)
  assert.equal(cluster.jobs.size, 0)
  await pass(2)
  const [job] = cluster.jobs.keys()
  const steps = stepsOf(leader.asked, 'soon')
  assert.deepEqual(steps, ['tries the template', `announces ${job}`, `creates ${job}`])
})

test('a leader that dies before the first status leaves nothing behind, and its successor starts the Job once', async () => {
  const { cluster, replica, pass } = crowd(20)
  cluster.add('soon', spec(NEXT_MINUTE))
  const first = replica(() => UNANSWERED)
  await first.lead()
  await pass(5)
  assert.equal(first.armed, 21)
  first.die()
  const second = replica(() => AT_ONCE)
  await second.lead()
  await pass(60)
  assert.equal(cluster.created, 1)
  assert.equal(cluster.kronJobs.get('soon')?.status?.lastOutcome, 'executed')
})

test('a refused template is found before a KronJob without status starts', async () => {
  const { cluster, replica, pass } = crowd(0)
  cluster.add('soon', spec(NEXT_MINUTE))
  const refusal = { status: 422, message: 'Job.batch "soon" is invalid: spec.template: Required value' }
  const leader = replica(path => (path.endsWith('/jobs') ? { ...AT_ONCE, refusal } : AT_ONCE))
  await leader.lead()
  await pass(60)
  const { conditions } = cluster.kronJobs.get('soon')?.status ?? {}
  assert.equal(conditions?.find(each => each.type === 'InvalidSpec')?.status, 'True')
  assert.equal(cluster.created, 0)
})

test('an edit of a KronJob that waits for its first status sets the alarm anew', async () => {
  const { cluster, replica, pass } = crowd()
  cluster.add('edited', spec('0 12 * * *', 'other'))
  const leader = replica(path => (path.includes('edited') ? AT_ONCE : slowForRare(path)))
  await leader.lead()
  cluster.edit('edited', spec(NEXT_MINUTE, 'other'))
  await pass(31)
  assert.equal(cluster.created, 1)
})
