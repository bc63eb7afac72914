import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decide, printInstant } from '@kron/core'
import { until } from '../../../verify/cluster/until.ts'
import { isNotFound } from '../src/cluster/api-error.ts'
import { jobsPath } from '../src/cluster/paths.ts'
import {
  create,
  createdAt,
  edit,
  jobFrom,
  nowSeconds,
  outcome,
  periodsFrom,
  remove,
  soon,
  template,
  when,
} from './support/kron-jobs.ts'
import { shareReplica } from './support/shared-replica.ts'
import type { World } from './support/world.ts'

const NAMESPACE = 'changes'

/** Tests of a KronJob or its Job that changes in the middle of a period. */
export function changes(world: () => World): void {
  describe('changes', { concurrency: true }, () => {
    const { audit, named } = shareReplica(world, NAMESPACE)

    test('on resume a period within its deadline is made up for', async () => {
      const jobTemplate = template(world(), 'succeeds')
      const spec = soon(named('late'), { jobTemplate, policy: { suspend: true, deadline: '30m' } })
      const created = await create(world(), named('late'), spec)
      const [first] = periodsFrom(jobFrom(named('late'), spec), createdAt(created), 1)
      await until('its time is over', () => nowSeconds() > first!.chosen! + 1)
      await edit(world(), named('late'), { policy: { suspend: false } })
      await outcome(world(), named('late'), 'executed')
    })

    test('an edit changes the period that has not started, and never repeats one that has', async () => {
      const jobTemplate = template(world(), 'succeeds')
      await create(world(), named('edited'), soon(named('edited'), { jobTemplate }))
      const { status } = await outcome(world(), named('edited'), 'executed')
      const edited = await edit(world(), named('edited'), {
        seed: { salt: 'another' },
        window: { mode: 'after', duration: '50s' },
      })
      const after = await when(world(), named('edited'), 'has seen the edit', each => {
        return each.status?.observedGeneration === edited.metadata.generation
      })
      assert.ok(after.status!.nextPeriodID! > status!.lastPeriodID!)
      const job = jobFrom(named('edited'), edited.spec)
      assert.equal(
        after.status!.nextChosenTime,
        printInstant(decide(job, Date.parse(after.status!.nextPeriodID!) / 1000).chosen!),
      )
      await when(world(), named('edited'), 'runs again', each => {
        return each.status?.lastOutcome === 'executed' && each.status.lastPeriodID !== status!.lastPeriodID
      })
    })

    test('deleted and re-created in the middle of a period, it does not run it again', async () => {
      const spec = soon(named('again'), {
        jobTemplate: template(world(), 'succeeds'),
        policy: { deadline: '30m' },
      })
      await create(world(), named('again'), spec)
      const { status } = await outcome(world(), named('again'), 'executed')
      await remove(world(), named('again'))
      await create(world(), named('again'), spec)
      const next = await when(world(), named('again'), 'has a next period', each => each.status?.nextPeriodID)
      assert.ok(next.status!.nextPeriodID! > status!.lastPeriodID!)
      await outcome(world(), named('again'), 'executed')
      assert.deepEqual(audit().periods('again').length, 2)
    })

    test('a Job that the TTL controller collects is not run again', async () => {
      const jobTemplate = template(world(), 'succeeds', { ttlSecondsAfterFinished: 1 })
      await create(world(), named('ttl'), soon(named('ttl'), { jobTemplate, policy: { deadline: '30m' } }))
      const { status } = await outcome(world(), named('ttl'), 'executed')
      await until('the Job is collected', async () => {
        return world()
          .api.get(jobsPath(NAMESPACE, status!.lastJobRef!.name))
          .then(() => false, isNotFound)
      })
      await when(
        world(),
        named('ttl'),
        'has run another period',
        each => each.status?.lastPeriodID !== status!.lastPeriodID,
      )
    })
  })
}
