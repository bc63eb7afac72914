import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../../verify/cluster/until.ts'
import { jobsPath } from '../src/cluster/paths.ts'
import { Audit } from './support/audit.ts'
import { forbidOutcome } from './support/forbid-outcome.ts'
import { create, jobsOf, outcome, read, soon, template } from './support/kron-jobs.ts'
import { startReplica } from './support/replica.ts'
import { instantNow, startStream } from './support/stream.ts'
import type { World } from './support/world.ts'

const KILLS = 100

/** Tests of a replica that dies without a shutdown. */
export function kills(world: () => World): void {
  describe('kills', { concurrency: true }, () => {
    test('killed between the creation of the Job and the write of the status, it starts nothing twice', async () => {
      const namespace = await world().namespace('between')
      const named = { namespace, name: 'between' }
      const audit = new Audit(world(), namespace)
      const allowAgain = await forbidOutcome(world(), namespace)
      const first = await startReplica(world(), { name: 'between', namespace })
      await first.leading()
      await create(
        world(),
        named,
        soon(named, { jobTemplate: template(world(), 'runs'), policy: { deadline: '30m' } }),
      )
      const [job] = await until('the Job is created', async () => {
        const jobs = await jobsOf(world(), named)
        return jobs.length > 0 && jobs
      })
      await first.kill('SIGKILL')
      const { status } = await read(world(), named)
      assert.equal(status?.intent?.jobName, job!.metadata.name)
      assert.equal(status?.lastOutcome, undefined)
      await allowAgain()
      const second = await startReplica(world(), { name: 'between', namespace })
      const after = await outcome(world(), named, 'executed')
      assert.equal(after.status?.lastJobRef?.uid, job!.metadata.uid)
      assert.deepEqual(audit.contradictions(), [])
      await audit.stop()
      await second.kill('SIGTERM')
    })

    test('a Job that is deleted by hand as soon as it exists is not created again', async () => {
      const namespace = await world().namespace('deleted')
      const named = { namespace, name: 'deleted' }
      const audit = new Audit(world(), namespace)
      const replica = await startReplica(world(), { name: 'deleted', namespace })
      await replica.leading()
      const policy = { deadline: '30m' }
      await create(world(), named, soon(named, { jobTemplate: template(world(), 'runs'), policy }))
      const [job] = await until(
        'the Job is created',
        async () => {
          const jobs = await jobsOf(world(), named)
          return jobs.length > 0 && jobs
        },
        { every: 20 },
      )
      const body = { propagationPolicy: 'Background', gracePeriodSeconds: 0 }
      await world().api.call('DELETE', jobsPath(namespace, job!.metadata.name), { body })
      await outcome(world(), named, 'executed')
      assert.deepEqual(audit.contradictions(), [])
      await audit.stop()
      await replica.kill('SIGTERM')
    })

    test(`killed at ${KILLS} random moments, it starts every period once or says why not`, async () => {
      const namespace = await world().namespace('kills')
      const stream = await startStream(world(), namespace, 60)
      const from = instantNow()
      for (let kill = 0; kill < KILLS; kill++) {
        const replica = await startReplica(world(), { name: 'kills', namespace })
        await replica.leading()
        await pause(Math.random() * 1_500)
        await replica.kill('SIGKILL')
      }
      const to = instantNow()
      const last = await startReplica(world(), { name: 'kills', namespace })
      const { wrong, periods, started } = await stream.account(from, to)
      assert.deepEqual(wrong, [])
      assert.ok(started > 0 && periods >= 60, `${started} of ${periods} periods were started`)
      await last.kill('SIGTERM')
      await stream.stop()
    })
  })
}
