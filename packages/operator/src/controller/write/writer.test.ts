import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '@kron/core'
import { instant, kronJob, TWO } from '@kron/testkit/operator/plan/fixtures'
import type { Api, Call, Method } from '../../cluster/api.ts'
import { ApiError } from '../../cluster/api-error.ts'
import { jobOf, parseSpec } from '../../manifest/parse.ts'
import { jobManifest } from '../../plan/job.ts'
import { NotLeading, Writer } from './writer.ts'

const one = kronJob({}, {})
const read = parseSpec(one.spec)
assert.ok(read.ok)
const manifest = jobManifest(one, decide(jobOf('shop/backup', read.schedule), instant(TWO)))

/** An API that answers each call from a list and records the calls. */
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

test('every failed creation says why, and whether a Job can have come of it', async () => {
  const failures: readonly [ApiError, string, boolean][] = [
    [new ApiError(403, { message: 'exceeded quota: jobs' }, 'post'), 'QuotaExceeded', true],
    [
      new ApiError(403, { message: 'user "x" cannot create resource "jobs"' }, 'post'),
      'PermissionMissing',
      true,
    ],
    [
      new ApiError(403, { message: 'admission webhook "x" denied the request: no' }, 'post'),
      'AdmissionDenied',
      true,
    ],
    [
      new ApiError(422, { message: "ValidatingAdmissionPolicy 'x' denied request: no" }, 'post'),
      'AdmissionDenied',
      true,
    ],
    [
      new ApiError(
        403,
        { message: 'unable to create new content in namespace x because it is being terminated' },
        'post',
      ),
      'NamespaceTerminating',
      true,
    ],
    [new ApiError(422, { message: 'spec.template: Required value' }, 'post'), 'Rejected', true],
    [new ApiError(429, { message: 'too many requests' }, 'post'), 'Throttled', true],
    [
      new ApiError(500, { message: 'failed calling webhook "x": refused' }, 'post'),
      'WebhookUnavailable',
      true,
    ],
    [new ApiError(503, { message: 'unavailable' }, 'post'), 'ServerError', true],
    [new ApiError(504, { message: 'timeout' }, 'post'), 'ServerError', false],
    [ApiError.unreachable(new Error('timeout'), 'POST'), 'Unreachable', false],
    [
      ApiError.unreachable(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), 'POST'),
      'Unreachable',
      true,
    ],
  ]
  for (const [error, reason, certain] of failures) {
    const creation = await writerFor(answering(error).api).createJob(manifest)
    assert.ok('failure' in creation && creation.failure.message.includes(error.message))
    assert.deepEqual([creation.failure.reason, creation.failure.certain], [reason, certain])
  }
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

test('a dry run tells a bad template from a refusal that may pass', async () => {
  const tried = async (...answers: (object | Error)[]) =>
    (await writerFor(answering(...answers).api).tryJob(manifest))?.reason
  assert.equal(await tried(manifest), undefined)
  assert.equal(
    await tried(new ApiError(422, { message: 'spec.template: Required value' }, 'post')),
    'TemplateRefused',
  )
  assert.equal(
    await tried(new ApiError(400, { message: 'unknown field "spec.x"' }, 'post')),
    'TemplateRefused',
  )
  assert.equal(await tried(new ApiError(403, { message: 'exceeded quota' }, 'post')), 'QuotaExceeded')
  assert.equal(await tried(exists, manifest), undefined)
  const stranger = { ...manifest, metadata: { ...manifest.metadata, ownerReferences: [] } }
  assert.equal(await tried(exists, stranger), 'NameConflict')
})

test('a dry run asks for strict field validation', async () => {
  const { api, calls } = answering(manifest)
  await writerFor(api).tryJob(manifest)
  assert.deepEqual(calls[0]?.call?.query, { dryRun: 'All', fieldValidation: 'Strict' })
})
