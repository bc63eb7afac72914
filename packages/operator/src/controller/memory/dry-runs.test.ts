import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '@kron/runtime'
import { createEffect, kronJob, observed, TWO } from '@kron/testkit/operator/plan/fixtures'
import type { Failure } from '../../cluster/failure.ts'
import type { JobManifest } from '../../plan/job.ts'
import type { Writer } from '../write/writer.ts'
import { DryRuns } from './dry-runs.ts'

function trying(answer: Failure | undefined) {
  const tried: string[] = []
  const tryJob = async ({ metadata }: JobManifest): Promise<Failure | undefined> => {
    tried.push(metadata.name)
    return answer
  }
  const clock = new VirtualClock({ now: 1_000 })
  const dryRuns = new DryRuns({ tryJob } as unknown as Writer, clock)
  const one = async (template: object = {}, namespace = 'shop'): Promise<Failure | undefined> => {
    const plain = kronJob({ jobTemplate: { spec: { template } } })
    const given = { ...plain, metadata: { ...plain.metadata, namespace } }
    const effect = createEffect(observed({ kronJob: given, at: TWO }), TWO)
    return dryRuns.try(given, effect.job as JobManifest)
  }
  return { tried, clock, one }
}

test('equal templates of one namespace share a passed dry run for five seconds', async () => {
  const { tried, clock, one } = trying(undefined)
  await Promise.all([one(), one(), one()])
  assert.equal(tried.length, 1)
  await one({}, 'other')
  await one({ metadata: {} })
  assert.equal(tried.length, 3)
  await clock.run(5_000)
  await one()
  assert.equal(tried.length, 4)
})

test('a refusal counts for one KronJob alone', async () => {
  const failure = { reason: 'Denied', message: 'no', certain: true } as unknown as Failure
  const { tried, one } = trying(failure)
  assert.deepEqual(await Promise.all([one(), one(), one()]), [failure, failure, failure])
  assert.equal(tried.length, 3)
})
