import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobFor, kronJob, ONE } from '@kron/testkit/operator/plan/fixtures'
import { observeJob } from '../../plan/job.ts'
import { JobIndex } from './job-cache.ts'

test('a Job belongs to a KronJob by namespace, name and UID', () => {
  const index = new JobIndex()
  const own = jobFor(ONE)
  const forged = [
    { ...own, namespace: 'other' },
    { ...own, name: 'x', ownerUid: 'uid-2' },
    { ...own, name: 'y', ownerName: 'another' },
  ]
  for (const job of [own, ...forged]) index.change(undefined, job)
  assert.deepEqual(index.of(kronJob()), [own])
  index.change(own, undefined)
  assert.deepEqual(index.of(kronJob()), [])
})

test('an owner of another kind or group is no KronJob', () => {
  const metadata = { name: 'j', namespace: 'shop', uid: 'u', resourceVersion: '1', creationTimestamp: ONE }
  const owner = {
    apiVersion: 'kron.io/v1alpha1',
    kind: 'KronJob',
    name: 'backup',
    uid: 'uid-1',
    controller: true,
  }
  const of = (ownerReferences: (typeof owner)[]) =>
    observeJob({ metadata: { ...metadata, ownerReferences } }).ownerUid
  assert.equal(of([owner]), 'uid-1')
  assert.equal(of([{ ...owner, kind: 'CronJob' }]), '')
  assert.equal(of([{ ...owner, apiVersion: 'evil.example/v1' }]), '')
  assert.equal(of([{ ...owner, controller: false }]), '')
})
