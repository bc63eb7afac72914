import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fate } from '@kron/testkit/operator/simulation/memory-cluster'
import {
  AT_ONCE,
  NEXT_MINUTE,
  type Scene,
  scene,
  specOf,
  UNANSWERED,
} from '@kron/testkit/operator/simulation/scene'
import type { Method } from '../cluster/api.ts'

const TTL = 30
const SLOW: Fate = { ...AT_ONCE, delay: [10_000, 1] }
const REFUSED: Fate = { ...AT_ONCE, refusal: { status: 500, message: 'no' } }

/** A leader announces the start of `left` and dies before it asks for the Job. Five seconds pass. */
async function announcedOnly(): Promise<Scene> {
  const made = scene()
  made.cluster.add('left', {
    ...specOf(NEXT_MINUTE),
    policy: { deadline: '2s' },
    jobTemplate: { spec: { template: {}, ttlSecondsAfterFinished: TTL } },
  })
  let isDue = false
  const leader = made.replica((_, method) => (isDue && method === 'POST' ? UNANSWERED : AT_ONCE))
  await leader.lead()
  await made.pass(20)
  isDue = true
  await made.pass(11)
  leader.die()
  await made.pass(4)
  assert.ok(made.cluster.kronJobs.get('left')?.status?.intent)
  return made
}

const outcomeOf = ({ cluster }: Scene): unknown[] => {
  const { lastOutcome, lastReason, intent } = cluster.kronJobs.get('left')?.status ?? {}
  return [lastOutcome, lastReason, intent]
}

test('an announced period whose Job never existed is missed, however many statuses are to be written', async () => {
  const made = await announcedOnly()
  for (let i = 0; i < 40; i++) made.cluster.add(`new-${i}`, specOf('0 12 * * *'))
  const second = made.replica((_, method) => (method === 'PATCH' ? SLOW : AT_ONCE))
  await second.lead()
  await made.pass(15)
  second.die()
  await made.pass(TTL)
  await made.replica(() => AT_ONCE).lead()
  await made.pass(5)
  assert.deepEqual(outcomeOf(made), ['missed', 'deadline', undefined])
})

test('it is missed, even if the status cannot be written until the TTL is over', async () => {
  const made = await announcedOnly()
  let fate = REFUSED
  await made.replica((_, method) => (method === 'PATCH' ? fate : AT_ONCE)).lead()
  await made.pass(2 * TTL)
  fate = AT_ONCE
  await made.pass(TTL)
  assert.deepEqual(outcomeOf(made), ['missed', 'deadline', undefined])
})

for (const slow of ['PATCH', 'POST'] as const satisfies Method[])
  test(`a replica that loses the lease during a ${slow} sets no timer and queues nothing`, async () => {
    const { cluster, replica, pass } = scene()
    cluster.add('due', specOf(NEXT_MINUTE))
    const leader = replica((_, method) => (method === slow ? { ...AT_ONCE, delay: [1_000, 1] } : AT_ONCE))
    await leader.lead()
    await pass(slow === 'PATCH' ? 0.5 : 30.5)
    leader.lapse()
    await pass(1)
    const asked = leader.asked.length
    assert.equal(leader.armed, 0)
    await pass(60)
    assert.equal(leader.asked.length, asked)
  })
