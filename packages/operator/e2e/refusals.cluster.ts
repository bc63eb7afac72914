import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../../verify/cluster/until.ts'
import { jobsPath, kronJobsPath } from '../src/cluster/paths.ts'
import { API_VERSION } from '../src/manifest/kronjob.ts'
import { NAME_LABEL } from '../src/plan/names.ts'
import { Audit } from './support/audit.ts'
import { told } from './support/events.ts'
import { createsJob, type Fault, startFaultyProxy } from './support/faulty-proxy.ts'
import {
  condition,
  create,
  edit,
  jobsOf,
  labelTime,
  nowSeconds,
  outcome,
  periodOf,
  read,
  soon,
  template,
  when,
} from './support/kron-jobs.ts'
import { metricOf } from './support/metric.ts'
import { breakWebhook, denyJobs, setQuota } from './support/obstacles.ts'
import { startReplica } from './support/replica.ts'
import { isCreation, isStatusWrite, operatorRequests, perMinute } from './support/requests.ts'
import type { World } from './support/world.ts'

const BLOCKED_MINUTES = 5

/** Tests of an API server that refuses Jobs: the operator's requests, its reports, and its recovery. */
export function refusals(world: () => World): void {
  describe('refusals', { concurrency: true }, () => {
    test('under a full quota tries grow rare, cost at most a write each, and one Job starts when it is raised', async () => {
      const namespace = await world().namespace('quota')
      const named = { namespace, name: 'blocked' }
      await setQuota(world(), namespace, 0)
      const audit = new Audit(world(), namespace)
      const replica = await startReplica(world(), { name: 'quota', namespace })
      await replica.leading()
      const policy = { concurrency: 'allow', deadline: '30m' }
      await create(world(), named, {
        schedule: '* * * * *',
        policy,
        history: { successful: 100 },
        jobTemplate: template(world(), 'succeeds'),
      })
      const blocked = await when(world(), named, 'says that the quota is full', each => {
        return condition(each, 'SchedulingError')?.reason === 'QuotaExceeded'
      })
      assert.equal(condition(blocked, 'Ready')?.status, 'False')
      await pause(BLOCKED_MINUTES * 60_000)
      const asked = operatorRequests(world(), namespace)
      const tries = asked.filter(isCreation).length
      const writes = asked.filter(isStatusWrite).length
      console.error(
        `# full quota: ${tries} tries and ${writes} status writes in ${BLOCKED_MINUTES} minutes; requests per minute: ${perMinute(asked).join(', ')}`,
      )
      assert.ok(tries <= 14, `${tries} tries`)
      assert.ok(writes <= tries + 1, `${writes} status writes for ${tries} tries`)
      assert.ok((await metricOf(replica, 'kron_job_create_errors_total', { reason: 'QuotaExceeded' })) > 0)
      await told(world(), named, 'QuotaExceeded')
      const raised = labelTime(nowSeconds())
      await setQuota(world(), namespace, 100)
      // An edit is tried at once. Other tests show that the operator also tries by itself, after at most five minutes.
      await edit(world(), named, { history: { successful: 99 } })
      const started = await outcome(world(), named, 'executed')
      assert.equal(condition(started, 'Ready')?.status, 'True')
      // A period that is due in the very second of the raise starts on time, beside the one that is caught up with.
      const overdue = (await jobsOf(world(), named)).filter(job => periodOf(job) < raised)
      const story = `raised at ${raised}: ${overdue.map(periodOf).join(', ')}\n${replica.logged().slice(-4_000)}`
      assert.ok(overdue.length <= 1, `${overdue.length} Jobs of the blocked time, ${story}`)
      assert.match(replica.logged(), /"reason":"superseded"/)
      assert.deepEqual(audit.contradictions(), [])
      await audit.stop()
      await replica.kill('SIGTERM')
    })

    test('a Job of another namespace that claims the KronJob as its owner changes nothing', async () => {
      const namespace = await world().namespace('victim')
      const other = await world().namespace('forger')
      const named = { namespace, name: 'owned' }
      const args = [`--namespace=${other}`]
      const replica = await startReplica(world(), { name: 'forged', namespace, args })
      await replica.leading()
      const { metadata } = await create(
        world(),
        named,
        soon(named, { jobTemplate: template(world(), 'succeeds'), policy: { deadline: '30m' } }, 9),
      )
      const ownerReferences = [
        {
          apiVersion: 'kron.io/v1alpha1',
          kind: 'KronJob',
          name: named.name,
          uid: metadata.uid,
          controller: true,
        },
      ]
      const labels = { [NAME_LABEL]: named.name }
      const body = {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'forged', labels, ownerReferences, finalizers: ['kron-test/stays'] },
        ...template(world(), 'runs'),
      }
      await world().api.call('POST', jobsPath(other), { body })
      const { status } = await when(world(), named, 'ends a period', each => each.status?.lastOutcome)
      assert.deepEqual([status?.lastOutcome, status?.lastJobRef?.namespace], ['executed', namespace])
      await world().api.call('PATCH', jobsPath(other, 'forged'), { body: { metadata: { finalizers: null } } })
      await replica.kill('SIGTERM')
    })

    test('a denial by a policy is tried again until the policy is gone, without an edit', async () => {
      const namespace = await world().namespace('denied')
      const named = { namespace, name: 'denied' }
      const replica = await startReplica(world(), { name: 'denied', namespace })
      await replica.leading()
      const allowAgain = await denyJobs(world(), namespace)
      await create(world(), named, { schedule: '0 0 1 1 *', jobTemplate: template(world(), 'succeeds') })
      await when(world(), named, 'says that it is denied', each => {
        return condition(each, 'SchedulingError')?.reason === 'AdmissionDenied'
      })
      await told(world(), named, 'AdmissionDenied')
      await allowAgain()
      await when(world(), named, 'is ready again', each => condition(each, 'Ready')?.status === 'True')
      await replica.kill('SIGTERM')
    })

    test('a webhook that cannot be reached is told, and the period starts when it is gone', async () => {
      const namespace = await world().namespace('unhooked')
      const named = { namespace, name: 'unhooked' }
      const replica = await startReplica(world(), { name: 'unhooked', namespace })
      await replica.leading()
      const removeWebhook = await breakWebhook(world(), namespace)
      await create(
        world(),
        named,
        soon(named, { jobTemplate: template(world(), 'succeeds'), policy: { deadline: '30m' } }),
      )
      await when(world(), named, 'tells of the webhook', each => {
        return condition(each, 'SchedulingError')?.reason === 'WebhookUnavailable'
      })
      await told(world(), named, 'WebhookUnavailable')
      await removeWebhook()
      await outcome(world(), named, 'executed')
      await replica.kill('SIGTERM')
    })

    const refused: readonly [string, Fault][] = [
      ['throttled', { status: 429, message: 'too many requests' }],
      ['unavailable', { status: 503, message: 'the server is down' }],
      ['webhook', { status: 500, message: 'failed calling webhook "a.b": connection refused' }],
    ]
    for (const [name, fault] of refused) {
      for (const ttl of [undefined, 1]) {
        const what = `${name}${ttl === undefined ? '' : '-ttl'}`
        test(`a Job that the server never made is never executed: ${what}`, async () => {
          const namespace = await world().namespace(what)
          const audit = new Audit(world(), namespace)
          const proxy = await startFaultyProxy(world(), what)
          proxy.fault = (method, path) => (createsJob(method, path) ? fault : undefined)
          const options = { name: what, namespace, kubeconfig: proxy.kubeconfig }
          let replica = await startReplica(world(), options)
          await replica.leading()
          const jobTemplate = template(
            world(),
            'succeeds',
            ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl },
          )
          const gone = { namespace, name: 'gone' }
          const retried = { namespace, name: 'retried' }
          await create(world(), gone, soon(gone, { jobTemplate, policy: { deadline: '5s' } }))
          await create(world(), retried, soon(retried, { jobTemplate, policy: { deadline: '30m' } }))
          const { status } = await when(world(), gone, 'ends a period', each => each.status?.lastOutcome)
          assert.deepEqual([status?.lastOutcome, status?.lastReason], ['missed', 'deadline'])
          const troubled = await when(world(), retried, 'tells of the trouble', each => {
            return condition(each, 'SchedulingError')?.status === 'True'
          })
          assert.notEqual(condition(troubled, 'SchedulingError')?.message, '')
          // The next leader must know that the Job was refused, however long ago it was announced.
          await replica.kill('SIGKILL')
          replica = await startReplica(world(), options)
          await replica.leading()
          proxy.fault = () => undefined
          const { status: executed } = await outcome(world(), retried, 'executed')
          assert.equal(executed?.lastReason, '')
          await until('the Job was there', () => audit.periods('retried').length > 0)
          assert.deepEqual(audit.contradictions(), [])
          await audit.stop()
          await replica.kill('SIGTERM')
          proxy.close()
        })
      }
    }

    test('a Job whose answer was lost is found again and not made twice', async () => {
      const namespace = await world().namespace('lost')
      const audit = new Audit(world(), namespace)
      const proxy = await startFaultyProxy(world(), 'lost')
      let lost = 0
      proxy.fault = (method, path) => (createsJob(method, path) && lost++ === 0 ? 'lost' : undefined)
      const replica = await startReplica(world(), { name: 'lost', namespace, kubeconfig: proxy.kubeconfig })
      await replica.leading()
      const named = { namespace, name: 'lost' }
      await create(
        world(),
        named,
        soon(named, { jobTemplate: template(world(), 'runs'), policy: { deadline: '30m' } }),
      )
      const { status } = await when(world(), named, 'ends a period', each => each.status?.lastOutcome)
      assert.equal(status?.lastOutcome, 'executed')
      assert.ok(status.lastJobRef !== undefined && lost > 0)
      assert.deepEqual(audit.contradictions(), [])
      await audit.stop()
      await replica.kill('SIGTERM')
      proxy.close()
    })

    test('a typing error in the Job template is refused at admission', async () => {
      const namespace = await world().namespace('typo')
      const jobTemplate = template(world(), 'succeeds', { backofLimit: 3 })
      const metadata = { namespace, name: 'typo' }
      const body = {
        apiVersion: API_VERSION,
        kind: 'KronJob',
        metadata,
        spec: { schedule: '0 0 1 1 *', jobTemplate },
      }
      const query = { fieldValidation: 'Strict' }
      await assert.rejects(
        world().api.call('POST', kronJobsPath(namespace), { body, query }),
        /unknown field "spec\.jobTemplate\.spec\.backofLimit"/,
      )
    })

    test('a replacement that cannot finish says so and hides no other period', async () => {
      const namespace = await world().namespace('stuck')
      const named = { namespace, name: 'stuck' }
      const replica = await startReplica(world(), { name: 'stuck', namespace })
      await replica.leading()
      const policy = { concurrency: 'replace', deadline: '10s' }
      await create(world(), named, soon(named, { jobTemplate: template(world(), 'runs'), policy }))
      const first = await outcome(world(), named, 'executed')
      const name = first.status!.lastJobRef!.name
      await world().api.call('PATCH', jobsPath(namespace, name), {
        body: { metadata: { finalizers: ['kron-test/stays'] } },
      })
      const replacing = await when(
        world(),
        named,
        'is replacing',
        each => condition(each, 'Reconciling')?.reason === 'Replacing',
      )
      assert.equal(condition(replacing, 'Ready')?.status, 'True')
      await when(world(), named, 'is stuck', each => condition(each, 'Stalled')?.reason === 'ReplaceStuck')
      await told(world(), named, 'ReplaceStuck')
      const { status } = await when(
        world(),
        named,
        'misses the period',
        each => each.status?.lastReason === 'replace',
      )
      assert.equal(status?.lastOutcome, 'missed')
      await world().api.call('PATCH', jobsPath(namespace, name), { body: { metadata: { finalizers: null } } })
      await when(world(), named, 'goes on', each => {
        return each.status?.lastOutcome === 'executed' && each.status.lastJobRef?.name !== name
      })
      assert.equal(condition(await read(world(), named), 'Stalled')?.status, 'False')
      await replica.kill('SIGTERM')
    })
  })
}
