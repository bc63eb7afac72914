import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { printInstant } from '@kron/core'
import { until } from '../../../verify/cluster/until.ts'
import { jobsPath, kronJobsPath, statusPath } from '../src/cluster/paths.ts'
import { API_VERSION, type KronJob } from '../src/manifest/kronjob.ts'
import { eventsOf } from './support/events.ts'
import {
  create,
  jobFrom,
  jobsOf,
  nowSeconds,
  outcome,
  periodsFrom,
  read,
  soon,
  template,
  when,
} from './support/kron-jobs.ts'
import { shareReplica } from './support/shared-replica.ts'
import type { World } from './support/world.ts'

/**
 * The requirements of Kubernetes' own end-to-end tests for CronJobs, applied to KronJobs. Each title begins with the
 * name of the Kubernetes test. docs/guides/from-cronjob-to-kronjob.md has the table.
 */
export function cronJobBehaviours(world: () => World): void {
  describe('behaviours of a CronJob', { concurrency: true }, () => {
    const { named } = shareReplica(world, 'behaviours')

    test('should schedule multiple jobs concurrently: allow', async () => {
      const policy = { concurrency: 'allow' }
      await create(
        world(),
        named('concurrent'),
        soon(named('concurrent'), { jobTemplate: template(world(), 'runs'), policy }),
      )
      await when(world(), named('concurrent'), 'has two active Jobs', each => each.status?.activeCount === 2)
    })

    test('should not schedule jobs when suspended', async () => {
      const spec = soon(named('suspended'), {
        jobTemplate: template(world(), 'succeeds'),
        policy: { suspend: true },
      })
      await create(world(), named('suspended'), spec)
      const [first] = periodsFrom(jobFrom(named('suspended'), spec), nowSeconds(), 1)
      await until('its time is over', () => nowSeconds() > first!.chosen! + 3)
      assert.deepEqual(await jobsOf(world(), named('suspended')), [])
      assert.equal((await read(world(), named('suspended'))).status?.lastOutcome, undefined)
    })

    test('should not schedule new jobs when ForbidConcurrent: forbid', async () => {
      const policy = { concurrency: 'forbid' }
      await create(
        world(),
        named('forbid'),
        soon(named('forbid'), { jobTemplate: template(world(), 'runs'), policy }),
      )
      await outcome(world(), named('forbid'), 'skipped')
      assert.equal((await jobsOf(world(), named('forbid'))).length, 1)
    })

    test('should replace jobs when ReplaceConcurrent: replace', async () => {
      const policy = { concurrency: 'replace', deadline: '30s' }
      await create(
        world(),
        named('replace'),
        soon(named('replace'), { jobTemplate: template(world(), 'runs'), policy }),
      )
      const { status } = await outcome(world(), named('replace'), 'executed')
      await when(world(), named('replace'), 'runs another Job', each => {
        return each.status?.lastJobRef !== undefined && each.status.lastJobRef.uid !== status!.lastJobRef!.uid
      })
      await until('one Job is left', async () => (await jobsOf(world(), named('replace'))).length === 1)
    })

    test('should be able to schedule after more than 100 missed schedule', async () => {
      const one = named('missed')
      const jobTemplate = template(world(), 'succeeds')
      await create(world(), one, { schedule: '* * * * *', policy: { concurrency: 'allow' }, jobTemplate })
      const past = printInstant(Math.floor(nowSeconds() / 60) * 60 - 150 * 60)
      await when(world(), one, 'is seen', each => each.status?.observedGeneration === 1)
      await world().api.call('PATCH', statusPath(one.namespace, one.name), {
        body: { status: { handledThrough: past } },
      })
      await outcome(world(), one, 'executed')
    })

    test('should not emit unexpected warnings', async () => {
      await create(
        world(),
        named('calm'),
        soon(named('calm'), { jobTemplate: template(world(), 'succeeds'), policy: { deadline: '30m' } }),
      )
      await when(world(), named('calm'), 'has succeeded', each => each.status?.lastSuccessfulTime)
      await until('its Events are there', async () => (await eventsOf(world(), named('calm'))).length >= 2)
      assert.deepEqual(
        (await eventsOf(world(), named('calm'))).filter(each => each.type === 'Warning'),
        [],
      )
    })

    test('should remove from active list jobs that have been deleted', async () => {
      const one = named('deleted')
      await create(world(), one, soon(one, { jobTemplate: template(world(), 'runs') }))
      const { status } = await when(world(), one, 'has an active Job', each => each.status?.activeCount === 1)
      const { name } = status!.active![0]!
      await world().api.call('DELETE', jobsPath(one.namespace, name), {
        body: { propagationPolicy: 'Background' },
      })
      await when(
        world(),
        one,
        'has it no longer',
        each => !each.status?.active?.some(active => active.name === name),
      )
    })

    for (const [title, run, limits] of [
      [
        'should delete successful finished jobs with limit of one successful job',
        'succeeds',
        { successful: 1, failed: 0 },
      ],
      ['should delete failed finished jobs with limit of one job', 'fails', { successful: 0, failed: 1 }],
    ] as const) {
      test(title, async () => {
        const one = named(run)
        await create(world(), one, soon(one, { jobTemplate: template(world(), run), history: limits }))
        const first = await outcome(world(), one, 'executed')
        await when(
          world(),
          one,
          'has run again',
          each => each.status?.lastJobRef?.uid !== first.status!.lastJobRef!.uid,
        )
        await until('one Job is left', async () => {
          const jobs = await jobsOf(world(), one)
          return jobs.length === 1 && jobs[0]!.metadata.uid !== first.status!.lastJobRef!.uid
        })
        const counted = await when(world(), one, 'counts results', each => each.status?.lastFinishedUIDs)
        assert.equal((counted.status!.consecutiveFailures ?? 0) > 0, run === 'fails')
      })
    }

    test('should support timezone', async () => {
      const one = named('timezone')
      const jobTemplate = template(world(), 'succeeds')
      await create(world(), one, { schedule: '30 5 * * *', timezone: 'Asia/Kathmandu', jobTemplate })
      const { status } = await when(world(), one, 'has a next time', each => each.status?.nextChosenTime)
      assert.match(status!.nextChosenTime!, /T23:45:00Z$/)
      const wrong = { schedule: '30 5 * * *', timezone: 'Local time', jobTemplate }
      await assert.rejects(create(world(), named('nowhere'), wrong), /must be the name of a time zone/)
    })

    test('should support CronJob API operations', async () => {
      const { api } = world()
      const namespace = await world().namespace('operations')
      const body = {
        apiVersion: API_VERSION,
        kind: 'KronJob',
        metadata: { name: 'api', labels: { special: 'yes' } },
        spec: { schedule: '0 0 1 1 *', jobTemplate: template(world(), 'succeeds') },
      }
      await api.call('POST', kronJobsPath(namespace), { body })
      const got = await api.get<KronJob>(kronJobsPath(namespace, 'api'))
      const listed = await api.get<{ items: KronJob[] }>(kronJobsPath(namespace), {
        labelSelector: 'special=yes',
      })
      const everywhere = await api.get<{ items: KronJob[] }>(kronJobsPath(), { labelSelector: 'special=yes' })
      assert.deepEqual([listed.items.length, everywhere.items.length], [1, 1])
      const patched = await api.call<KronJob>('PATCH', kronJobsPath(namespace, 'api'), {
        body: { metadata: { annotations: { patched: 'true' } } },
      })
      assert.equal(patched.metadata.annotations?.['patched'], 'true')
      const updated = await api.call<KronJob>('PUT', kronJobsPath(namespace, 'api'), {
        body: { ...patched, metadata: { ...patched.metadata, annotations: { updated: 'true' } } },
      })
      assert.equal(updated.metadata.uid, got.metadata.uid)
      const status = await api.call<KronJob>('PATCH', statusPath(namespace, 'api'), {
        body: { status: { activeCount: 0 } },
      })
      assert.equal(status.status?.activeCount, 0)
      await api.call('DELETE', kronJobsPath(namespace, 'api'))
      await api.call('POST', kronJobsPath(namespace), { body })
      await api.call('DELETE', `${kronJobsPath(namespace)}`)
      await until(
        'all are gone',
        async () => (await api.get<{ items: unknown[] }>(kronJobsPath(namespace))).items.length === 0,
      )
    })
  })
}
