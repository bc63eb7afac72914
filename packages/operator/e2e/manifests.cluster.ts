import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseSchedule } from '@kron/core'
import { ApiError } from '../src/cluster/api-error.ts'
import { invalidManifests } from './support/invalid-manifests.ts'
import { condition, create, read, template, when } from './support/kron-jobs.ts'
import { startReplica } from './support/replica.ts'
import type { World } from './support/world.ts'

export function manifests(world: () => World): void {
  describe('manifests', { concurrency: true }, () => {
    test('defaults appear when a minimal manifest is read back', async () => {
      const named = { namespace: await world().namespace('defaults'), name: 'minimal' }
      await create(world(), named, { schedule: '0 2 * * *', jobTemplate: template(world(), 'succeeds') })
      const { jobTemplate, ...spec } = (await read(world(), named)).spec
      assert.deepEqual(spec, {
        schedule: '0 2 * * *',
        timezone: 'UTC',
        window: { mode: 'after', duration: '0s' },
        distribution: { name: 'uniform' },
        seed: { strategy: 'stable', salt: '' },
        policy: { concurrency: 'forbid', deadline: '0s', suspend: false },
        history: { successful: 3, failed: 1 },
      })
      assert.deepEqual(jobTemplate, template(world(), 'succeeds'))
    })

    test('every invalid manifest is rejected at admission or ends in InvalidSpec with the message of the lint', async () => {
      const namespace = await world().namespace('invalid')
      const replica = await startReplica(world(), { name: 'invalid', namespace })
      await replica.leading()
      const cases = invalidManifests(template(world(), 'succeeds'))
      assert.ok(cases.length >= 40, `${cases.length} cases`)
      let admitted = 0
      for (const { name, spec, rejected, lint, says } of cases) {
        const named = { namespace, name }
        const creation = create(world(), named, spec)
        if (rejected !== undefined) {
          await assert.rejects(
            creation,
            error => error instanceof ApiError && error.status === 422 && rejected.test(error.message),
            `${name} should be rejected with ${rejected}`,
          )
          continue
        }
        admitted++
        await creation
        const kronJob = await when(
          world(),
          named,
          'is reported as invalid',
          each => condition(each, 'InvalidSpec')?.status === 'True',
        )
        const message = condition(kronJob, 'InvalidSpec')!.message
        if (says !== undefined) assert.match(message, says, name)
        if (lint !== undefined) {
          const read = parseSchedule(lint)
          assert.ok(!read.ok, name)
          for (const fault of read.faults) assert.ok(message.includes(fault.message), `${name}: ${message}`)
        }
        assert.equal(condition(kronJob, 'Ready')?.status, 'False')
        assert.equal(kronJob.status?.nextChosenTime, undefined)
      }
      assert.ok(admitted >= 10)
      await replica.kill('SIGTERM')
    })

    test('kubectl get kj shows the columns', async () => {
      const namespace = await world().namespace('columns')
      const replica = await startReplica(world(), { name: 'columns', namespace })
      const named = { namespace, name: 'nightly' }
      const window = { mode: 'after', duration: '2h' }
      await create(world(), named, {
        schedule: '0 2 * * *',
        timezone: 'Europe/Paris',
        window,
        jobTemplate: template(world(), 'succeeds'),
      })
      const { status } = await when(world(), named, 'has a next time', each => each.status?.nextChosenTime)
      const [head, row] = (await world().kubectl('get', 'kj', '-n', namespace)).trim().split('\n')
      assert.deepEqual(head?.split(/\s{2,}/), [
        'NAME',
        'READY',
        'SCHEDULE',
        'ZONE',
        'WINDOW',
        'NEXT',
        'LAST',
        'OUTCOME',
        'ACTIVE',
        'SUSPENDED',
        'AGE',
      ])
      const shown = ['nightly', 'True', '0 2 * * *', 'Europe/Paris', 'after 2h', status!.nextChosenTime]
      assert.deepEqual(row?.split(/\s{2,}/).slice(0, 6), shown)
      assert.match(row, /\s0\s+false\s/)
      assert.match(await world().kubectl('get', 'all', '-n', namespace), /kronjob\.kron\.io\/nightly/)
      await replica.kill('SIGTERM')
    })
  })
}
