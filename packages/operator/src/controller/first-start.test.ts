import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Asked, Fate } from '@kron/testkit/operator/simulation/memory-cluster'
import {
  AT_ONCE,
  NEXT_MINUTE,
  type Scene,
  scene,
  specOf,
  UNANSWERED,
} from '@kron/testkit/operator/simulation/scene'

const MANY = 300
const RARE = '0 0 29 2 *'

function crowd(count = MANY): Scene {
  const made = scene()
  for (let i = 0; i < count; i++) made.cluster.add(`rare-${i}`, specOf(RARE))
  return made
}

/** The server does not answer status writes of rare KronJobs. It answers dry runs. */
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

test('every KronJob has its timer before the first status is written', async () => {
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
  cluster.add('soon', specOf(NEXT_MINUTE, 'other'))
  await pass(28)
  assert.equal(cluster.jobs.size, 0)
  await pass(2)
  const [job] = cluster.jobs.keys()
  const steps = stepsOf(leader.asked, 'soon')
  assert.deepEqual(steps, ['tries the template', `announces ${job}`, `creates ${job}`])
})

test('a leader that dies before the first status leaves nothing behind, and its successor starts the Job once', async () => {
  const { cluster, replica, pass } = crowd(20)
  cluster.add('soon', specOf(NEXT_MINUTE))
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
  cluster.add('soon', specOf(NEXT_MINUTE))
  const refusal = { status: 422, message: 'Job.batch "soon" is invalid: spec.template: Required value' }
  const leader = replica(path => (path.endsWith('/jobs') ? { ...AT_ONCE, refusal } : AT_ONCE))
  await leader.lead()
  await pass(60)
  const { conditions } = cluster.kronJobs.get('soon')?.status ?? {}
  assert.equal(conditions?.find(each => each.type === 'InvalidSpec')?.status, 'True')
  assert.equal(cluster.created, 0)
})

test('an edit of a KronJob that waits for its first status sets the timer anew', async () => {
  const { cluster, replica, pass } = crowd()
  const leader = replica(slowForRare)
  await leader.lead()
  await pass(1)
  cluster.add('edited', specOf('0 12 * * *', 'other'))
  await pass(1)
  assert.deepEqual([leader.armed, stepsOf(leader.asked, 'edited')], [MANY + 1, []])
  cluster.edit('edited', specOf(NEXT_MINUTE, 'other'))
  await pass(29)
  assert.equal(cluster.created, 1)
})

const BROKEN: Fate = { ...AT_ONCE, delay: [5_000, 1], refusal: { status: 500, message: 'no' } }

test('no first status waits for others that cannot be written', async () => {
  const { cluster, replica, pass } = crowd(40)
  const broken = Array.from({ length: 8 }, (_, i) => `broken-${i}`)
  for (const name of broken) cluster.add(name, specOf('0 12 * * *'))
  const leader = replica(path => (path.includes('broken') ? BROKEN : AT_ONCE))
  await leader.lead()
  await pass(60)
  const written = [...cluster.kronJobs.values()].filter(each => each.status !== undefined)
  assert.equal(written.length, 40)
  assert.equal(leader.armed, 48)
})

test('a first status that cannot be written is tried after growing pauses', async () => {
  const { cluster, replica, pass } = crowd(0)
  cluster.add('broken', specOf('0 12 * * *'))
  const leader = replica((_, method) => (method === 'PATCH' ? { ...BROKEN, delay: [1, 1] } : AT_ONCE))
  await leader.lead()
  await pass(60)
  const writes = leader.asked.filter(each => each.method === 'PATCH').length
  assert.ok(writes > 5 && writes < 20, `${writes} writes`)
})
