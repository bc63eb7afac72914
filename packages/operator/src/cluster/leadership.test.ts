import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '@kron/runtime'
import type { Api, Call, Method } from './api.ts'
import { ApiError } from './api-error.ts'
import { LEASE_DURATION, Leadership } from './leadership.ts'
import { sleep } from './sleep.ts'

interface StoredLease {
  metadata: { resourceVersion: string }
  spec: { holderIdentity: string; leaseTransitions: number }
}

/** One Lease with optimistic locking. A replica can be cut off from it. */
function leaseStore() {
  let lease: StoredLease | undefined
  let version = 0
  const cutOff = new Set<string>()
  const store = { apiFor, cutOff, delay: 0, holder: () => lease?.spec.holderIdentity }
  function apiFor(identity: string, clock: VirtualClock): Api {
    const call = async (method: Method, _path: string, { body }: Call = {}): Promise<unknown> => {
      if (store.delay > 0) await sleep(clock, store.delay)
      if (cutOff.has(identity)) throw ApiError.unreachable(new Error('cut off'), method)
      if (method === 'GET') {
        if (lease === undefined) throw new ApiError(404, { reason: 'NotFound' }, 'get')
        return structuredClone(lease)
      }
      const next = body as StoredLease
      if ((lease?.metadata.resourceVersion ?? '') !== (next.metadata.resourceVersion ?? ''))
        throw new ApiError(409, {}, 'put')
      lease = { ...structuredClone(next), metadata: { ...next.metadata, resourceVersion: String(++version) } }
      return structuredClone(lease)
    }
    return { call, get: (path: string) => call('GET', path) } as unknown as Api
  }
  return store
}

function replica(store: ReturnType<typeof leaseStore>, clock: VirtualClock, identity: string) {
  const stop = new AbortController()
  const told: string[] = []
  const leadership = new Leadership({
    api: store.apiFor(identity, clock),
    clock,
    namespace: 'n',
    name: 'l',
    identity,
    onGained: isContinued => told.push(isContinued ? 'gained again' : 'gained'),
    onLost: () => told.push('lost'),
  })
  const done = leadership.run(stop.signal)
  return { leadership, told, stop: () => stop.abort(), done }
}

test('of two replicas one leads, and the other takes over only after the first has stopped writing', async () => {
  const store = leaseStore()
  const clock = new VirtualClock()
  const a = replica(store, clock, 'a')
  await clock.run(100)
  const b = replica(store, clock, 'b')
  await clock.run(20_000)
  assert.deepEqual([a.leadership.held, b.leadership.held], [true, false])
  store.cutOff.add('a')
  let stoppedAt = 0
  let takenAt = 0
  for (let at = 0; at < 40_000; at += 100) {
    await clock.run(100)
    assert.ok(!(a.leadership.held && b.leadership.held), `both lead after ${at} ms`)
    if (!a.leadership.held && stoppedAt === 0) stoppedAt = at
    if (b.leadership.held && takenAt === 0) takenAt = at
  }
  assert.ok(
    stoppedAt > 0 && takenAt - stoppedAt >= LEASE_DURATION / 4,
    `stopped after ${stoppedAt}, taken after ${takenAt}`,
  )
  assert.ok(takenAt <= 4_000, `taken after ${takenAt}: with a list of everything the budget is five seconds`)
  assert.deepEqual([a.told, b.told], [['gained', 'lost'], ['gained']])
})

test('a replica that leads again learns whether another has led meanwhile', async () => {
  const store = leaseStore()
  const clock = new VirtualClock()
  const a = replica(store, clock, 'a')
  await clock.run(1_000)
  store.cutOff.add('a')
  await clock.run(20_000)
  store.cutOff.delete('a')
  await clock.run(1_000)
  assert.deepEqual(a.told, ['gained', 'lost', 'gained again'])
  const b = replica(store, clock, 'b')
  store.cutOff.add('a')
  await clock.run(20_000)
  store.cutOff.add('b').delete('a')
  await clock.run(20_000)
  assert.deepEqual(
    [a.told.slice(3), b.told],
    [
      ['lost', 'gained'],
      ['gained', 'lost'],
    ],
  )
})

test('a lease that lapses and is renewed in time is lost and gained, never silently kept', async () => {
  const store = leaseStore()
  const clock = new VirtualClock()
  const a = replica(store, clock, 'a')
  await clock.run(100)
  store.delay = LEASE_DURATION * 0.75
  await clock.run(LEASE_DURATION)
  store.delay = 0
  await clock.run(LEASE_DURATION)
  assert.equal(a.leadership.held, true)
  assert.deepEqual(a.told.slice(0, 3), ['gained', 'lost', 'gained again'])
})

test('a leader that stops gives the lease back', async () => {
  const store = leaseStore()
  const clock = new VirtualClock()
  const a = replica(store, clock, 'a')
  const b = replica(store, clock, 'b')
  await clock.run(10_000)
  const [leader, other] = a.leadership.held ? [a, b] : [b, a]
  leader.stop()
  await leader.done
  assert.equal(store.holder(), '')
  await clock.run(4_000)
  assert.equal(other.leadership.held, true)
})
