import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '@kron/core'
import type { Api, Call, Method } from '../cluster/api.ts'
import { ApiError } from '../cluster/api-error.ts'
import { jobOf, parseSpec } from '../manifest/parse.ts'
import { instant, kronJob, TWO } from '../plan/fixtures.test-support.ts'
import { jobManifest } from '../plan/job.ts'
import { NotLeading, Writer } from './writer.ts'

const one = kronJob({}, {})
const read = parseSpec(one.spec)
assert.ok(read.ok)
const manifest = jobManifest(one, decide(jobOf('shop/backup', read.schedule), instant(TWO)))

/** An API that answers each call from a list, and notes what was asked. */
function answering(...answers: (object | Error)[]) {
  const calls: { method: Method; path: string; call: Call | undefined }[] = []
  const call = async (method: Method, path: string, given?: Call): Promise<unknown> => {
    calls.push({ method, path, call: given })
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  return { calls, api: { call, get: (path: string) => call('GET', path) } as unknown as Api }
}

const writerFor = (api: Api, leaseLeft = 60_000): Writer => new Writer({ api, leaseLeft: () => leaseLeft })
const exists = new ApiError(409, { reason: 'AlreadyExists', message: 'already exists' }, 'post')

test('a Job of that name that is this very period of this very KronJob counts as started', async () => {
  const { api } = answering(exists, manifest)
  assert.deepEqual(await writerFor(api).createJob(manifest), { job: manifest, isNew: false })
})

test('any other Job of that name is a conflict', async () => {
  const strangers = [
    { ...manifest, metadata: { ...manifest.metadata, ownerReferences: [] } },
    {
      ...manifest,
      metadata: { ...manifest.metadata, labels: { ...manifest.metadata.labels, 'kron.io/period-id': 'x' } },
    },
  ]
  for (const stranger of strangers) {
    const creation = await writerFor(answering(exists, stranger).api).createJob(manifest)
    assert.ok('failure' in creation && creation.failure.reason === 'NameConflict')
  }
})

test('a refusal is a failure, an answer that never came is an error', async () => {
  const quota = new ApiError(403, { reason: 'Forbidden', message: 'exceeded quota' }, 'post')
  assert.deepEqual(await writerFor(answering(quota).api).createJob(manifest), {
    failure: { reason: 'SchedulingError', message: 'exceeded quota' },
  })
  const silence = ApiError.unreachable(new Error('timeout'), 'POST')
  await assert.rejects(writerFor(answering(silence).api).createJob(manifest), silence)
})

test('without the lease nothing is written, and no write outlasts it', async () => {
  const { api, calls } = answering(manifest)
  await assert.rejects(writerFor(api, 0).createJob(manifest), NotLeading)
  assert.equal(calls.length, 0)
  await writerFor(api, 1_234).createJob(manifest)
  assert.equal(calls[0]?.call?.timeout, 1_234)
})

test('the status is written only if it changed, and only onto the version it was made from', async () => {
  const { api, calls } = answering(one)
  assert.equal(await writerFor(api).writeStatus(one, one.status!), undefined)
  assert.equal(calls.length, 0)
  await writerFor(api).writeStatus(one, { ...one.status, activeCount: 3 })
  assert.deepEqual(calls[0]?.call?.body, {
    metadata: { resourceVersion: '7', uid: 'uid-1' },
    status: { activeCount: 3 },
  })
})

test('Jobs are deleted by name and UID; one that is gone needs no deleting', async () => {
  const job = {
    namespace: 'n',
    name: 'j',
    uid: 'u',
    ownerName: '',
    ownerUid: '',
    period: '',
    created: 0,
    deleting: false,
  }
  const { api, calls } = answering(new ApiError(404, { reason: 'NotFound' }, 'delete'))
  assert.equal(await writerFor(api).deleteJob(job, 'Foreground'), undefined)
  const body = calls[0]?.call?.body as { propagationPolicy: string; preconditions: object }
  assert.deepEqual([body.propagationPolicy, body.preconditions], ['Foreground', { uid: 'u' }])
})

test('a dry run tells a bad template from a full quota', async () => {
  const invalid = new ApiError(422, { reason: 'Invalid', message: 'spec.template: Required value' }, 'post')
  assert.equal(await writerFor(answering(invalid).api).tryJob(manifest), 'spec.template: Required value')
  const quota = new ApiError(403, { reason: 'Forbidden', message: 'exceeded quota' }, 'post')
  assert.equal(await writerFor(answering(quota).api).tryJob(manifest), undefined)
  const denied = new ApiError(403, { message: 'admission webhook "x" denied the request: no' }, 'post')
  assert.match((await writerFor(answering(denied).api).tryJob(manifest))!, /denied the request/)
})
