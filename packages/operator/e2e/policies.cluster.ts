import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decide, printInstant } from '@kron/core'
import { until } from '../../../verify/cluster/until.ts'
import { jobsPath } from '../src/cluster/paths.ts'
import { jobNameOf } from '../src/plan/names.ts'
import { crossing } from './support/crossing.ts'
import {
  condition,
  create,
  createdAt,
  edit,
  jobFrom,
  jobsOf,
  labelTime,
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

const NAMESPACE = 'policies'

export function policies(world: () => World): void {
  describe('policies', { concurrency: true }, () => {
    const { audit, named } = shareReplica(world, NAMESPACE)

    test('the Job carries labels, decision and owner, at the second the engine chooses', async () => {
      const spec = soon(named('exact'), { jobTemplate: template(world(), 'succeeds') })
      const created = await create(world(), named('exact'), spec)
      const { status } = await outcome(world(), named('exact'), 'executed')
      const decision = decide(jobFrom(named('exact'), spec), Date.parse(status!.lastPeriodID!) / 1000)
      assert.equal(status!.lastChosenTime, printInstant(decision.chosen!))
      const [job] = await jobsOf(world(), named('exact'))
      assert.equal(job!.metadata.name, jobNameOf('exact', status!.lastPeriodID!))
      assert.equal(job!.metadata.labels!['kron.io/chosen-time'], labelTime(decision.chosen!))
      assert.equal(job!.metadata.ownerReferences![0]!.uid, created.metadata.uid)
      assert.equal(JSON.parse(job!.metadata.annotations!['kron.io/decision']!).seedHash, decision.seedHash)
      const late = Date.parse(job!.metadata.creationTimestamp) / 1000 - decision.chosen!
      assert.ok(late >= 0, `created ${-late} s before the chosen time`)
    })

    test('allow starts a Job beside one that still runs', async () => {
      const jobTemplate = template(world(), 'runs')
      await create(
        world(),
        named('allow'),
        soon(named('allow'), { jobTemplate, policy: { concurrency: 'allow' } }),
      )
      const kronJob = await when(
        world(),
        named('allow'),
        'has two active Jobs',
        each => each.status?.activeCount === 2,
      )
      assert.equal(kronJob.status?.active?.length, 2)
    })

    test('forbid skips a period while a Job runs', async () => {
      await create(
        world(),
        named('forbid'),
        soon(named('forbid'), { jobTemplate: template(world(), 'runs') }),
      )
      const { status } = await outcome(world(), named('forbid'), 'skipped')
      assert.deepEqual([status?.lastReason, status?.activeCount], ['concurrency', 1])
    })

    test('replace deletes the running Job with its pods, then starts the new one', async () => {
      const jobTemplate = template(world(), 'runs')
      await create(
        world(),
        named('replace'),
        soon(named('replace'), { jobTemplate, policy: { concurrency: 'replace' } }),
      )
      const first = (await outcome(world(), named('replace'), 'executed')).status!
      const { status } = await when(world(), named('replace'), 'runs another Job', each => {
        return each.status?.lastJobRef !== undefined && each.status.lastJobRef.uid !== first.lastJobRef!.uid
      })
      const jobs = await jobsOf(world(), named('replace'))
      assert.deepEqual(
        jobs.map(each => each.metadata.uid),
        [status!.lastJobRef!.uid],
      )
      const pods = await world().api.get<{ items: unknown[] }>(`/api/v1/namespaces/${NAMESPACE}/pods`, {
        labelSelector: `batch.kubernetes.io/job-name=${first.lastJobRef!.name}`,
      })
      assert.deepEqual(pods.items, [])
    })

    test('finished Jobs beyond the history limits are removed', async () => {
      const history = { successful: 0, failed: 1 }
      await create(
        world(),
        named('history'),
        soon(named('history'), { jobTemplate: template(world(), 'succeeds'), history }),
      )
      await outcome(world(), named('history'), 'executed')
      await until(
        'the finished Job is removed',
        async () => (await jobsOf(world(), named('history'))).length === 0,
      )
    })

    test('a failed Job stays within its limit', async () => {
      const history = { successful: 0, failed: 1 }
      await create(
        world(),
        named('failed'),
        soon(named('failed'), { jobTemplate: template(world(), 'fails'), history }),
      )
      await when(world(), named('failed'), 'has run and ended', each => {
        return each.status?.lastOutcome === 'executed' && each.status.activeCount === 0
      })
      const [job] = await jobsOf(world(), named('failed'))
      assert.equal(job?.status?.failed, 1)
    })

    test('deleting a KronJob leaves its Jobs to garbage collection', async () => {
      await create(
        world(),
        named('garbage'),
        soon(named('garbage'), { jobTemplate: template(world(), 'runs') }),
      )
      await outcome(world(), named('garbage'), 'executed')
      await remove(world(), named('garbage'))
      await until('the Jobs are gone', async () => (await jobsOf(world(), named('garbage'))).length === 0)
    })

    test('a suspended KronJob starts nothing; on resume a period past its deadline is missed', async () => {
      const jobTemplate = template(world(), 'succeeds')
      const spec = soon(named('missed'), { jobTemplate, policy: { suspend: true, deadline: '1s' } })
      await create(world(), named('missed'), spec)
      const suspended = await when(
        world(),
        named('missed'),
        'is seen',
        each => each.status?.observedGeneration === 1,
      )
      assert.equal(condition(suspended, 'Suspended')?.status, 'True')
      const [first] = periodsFrom(jobFrom(named('missed'), spec), createdAt(suspended), 1)
      await until('its time is over', () => nowSeconds() > first!.chosen! + 2)
      await edit(world(), named('missed'), { policy: { suspend: false } })
      const { status } = await outcome(world(), named('missed'), 'missed')
      assert.deepEqual([status?.lastPeriodID, status?.lastReason], [printInstant(first!.nominal), 'deadline'])
      assert.ok(
        !audit()
          .periods('missed')
          .includes(`missed ${labelTime(first!.nominal)}`),
      )
    })

    test('a period without an allowed second is unschedulable', async () => {
      const spec = soon(named('never'), { jobTemplate: template(world(), 'succeeds') })
      await create(world(), named('never'), { ...spec, constraints: { avoid: [{ hours: '0-23' }] } })
      const kronJob = await outcome(world(), named('never'), 'unschedulable')
      assert.equal(condition(kronJob, 'Unschedulable')?.status, 'True')
      assert.deepEqual(await jobsOf(world(), named('never')), [])
    })

    test('overlapping windows may end out of order, each period once', async () => {
      const { spec, early, late } = crossing(world(), named('crossing'))
      await create(world(), named('crossing'), spec)
      await when(world(), named('crossing'), 'has handled the later period first', ({ status }) => {
        return status?.handledPeriods?.includes(printInstant(late.nominal))
      })
      const { status } = await when(world(), named('crossing'), 'has handled both', each => {
        return each.status?.lastPeriodID === printInstant(early.nominal)
      })
      const periods = audit().periods('crossing')
      for (const { nominal } of [early, late]) assert.ok(periods.includes(`crossing ${labelTime(nominal)}`))
      assert.equal(status?.lastPeriodID, printInstant(early.nominal))
    })

    test("another's Job of the same name is a NameConflict, and the period starts once it is gone", async () => {
      const spec = soon(
        named('conflict'),
        { jobTemplate: template(world(), 'succeeds'), policy: { deadline: '30m' } },
        8,
      )
      const periods = periodsFrom(jobFrom(named('conflict'), spec), nowSeconds(), 3)
      const strangers = periods.map(each => jobNameOf('conflict', printInstant(each.nominal)))
      for (const name of strangers) {
        const body = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, ...template(world(), 'runs') }
        await world().api.call('POST', jobsPath(NAMESPACE), { body })
      }
      await create(world(), named('conflict'), spec)
      const stuck = await when(world(), named('conflict'), 'reports the conflict', each => {
        return condition(each, 'SchedulingError')?.reason === 'NameConflict'
      })
      assert.equal(stuck.status?.handledThrough, undefined)
      for (const name of strangers) {
        await world().api.call('DELETE', jobsPath(NAMESPACE, name), {
          body: { propagationPolicy: 'Background' },
        })
      }
      const { status } = await outcome(world(), named('conflict'), 'executed')
      assert.ok(strangers.includes(status!.lastJobRef!.name))
    })

    test('Events tell what happened', async () => {
      const seen = async (): Promise<Set<string>> => {
        const path = `/apis/events.k8s.io/v1/namespaces/${NAMESPACE}/events`
        const { items } = await world().api.get<{ items: { reason: string; regarding: { kind: string } }[] }>(
          path,
        )
        return new Set(items.filter(each => each.regarding.kind === 'KronJob').map(each => each.reason))
      }
      const expected = [
        'JobCreated',
        'Missed',
        'NameConflict',
        'Replaced',
        'Scheduled',
        'Skipped',
        'Unschedulable',
      ]
      await until('all kinds of Events are there', async () => new Set(expected).isSubsetOf(await seen()), {
        within: 240_000,
        every: 1000,
      })
    })
  })
}
