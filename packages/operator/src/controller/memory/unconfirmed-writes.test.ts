import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kronJob, ONE, TWO } from '@kron/testkit/operator/plan/fixtures'
import type { KronJob } from '../../manifest/kronjob.ts'
import type { Plan } from '../../plan/plan.ts'
import { UnconfirmedWrites } from './unconfirmed-writes.ts'

const KEY = 'shop/backup'
const before = kronJob({}, { handledThrough: ONE })
const plan: Plan = {
  status: { observedGeneration: 1, handledThrough: TWO },
  effects: [],
  outcomes: [],
  notes: [],
}

const seen = (status: KronJob['status'], rest: Partial<KronJob['metadata']> = {}): KronJob => ({
  ...before,
  metadata: { ...before.metadata, resourceVersion: '8', ...rest },
  ...(status && { status }),
})

function sent(): UnconfirmedWrites {
  const unconfirmed = new UnconfirmedWrites()
  unconfirmed.add(before, plan)
  return unconfirmed
}

test('a status that is found in the KronJob was written, and is reported once', () => {
  const unconfirmed = sent()
  assert.equal(unconfirmed.settle(KEY, before), undefined)
  assert.deepEqual(unconfirmed.settle(KEY, seen(plan.status)), { kronJob: before, plan })
  assert.equal(unconfirmed.settle(KEY, seen(plan.status)), undefined)
})

test('any other status, and a KronJob that is gone or made anew, mean that nothing is known', () => {
  assert.equal(sent().settle(KEY, seen(before.status)), undefined)
  assert.equal(sent().settle(KEY, seen(plan.status, { uid: 'uid-2' })), undefined)
  assert.equal(sent().settle(KEY, undefined), undefined)
})
