import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../verify/cluster/until.ts'
import { told } from './support/events.ts'
import { create, jobsOf, template, when } from './support/kron-jobs.ts'
import { startReplica } from './support/replica.ts'
import { isStatusWrite, operatorRequests } from './support/requests.ts'
import type { World } from './support/world.ts'

const KRON_JOBS = 10

/** Tests of the number of requests that a start costs, by the API server's audit log. */
export function requests(world: () => World): void {
  test('a Job costs its creation, its deletion, two Events and at most two status writes', async context => {
    if (!world().own) return context.skip('an existing cluster has no audit log for us')
    const namespace = await world().namespace('requests')
    const replica = await startReplica(world(), { name: 'requests', namespace })
    await replica.leading()
    const names = Array.from({ length: KRON_JOBS }, (_, i) => ({ namespace, name: `counted-${i}` }))
    const jobTemplate = template(world(), 'succeeds')
    const history = { successful: 0 }
    // The second period is a year away, so each KronJob starts one Job. The first leaves a slow machine time.
    const at = new Date(Date.now() + 150_000)
    const schedule = `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`
    const spec = { schedule, jobTemplate, policy: { deadline: '30m' }, history }
    await Promise.all(names.map(named => create(world(), named, spec)))
    for (const named of names) {
      await when(world(), named, 'is announced', each => each.status?.intent)
      await told(world(), named, 'Scheduled')
    }
    const announced = operatorRequests(world(), namespace).length
    for (const named of names) {
      await when(world(), named, 'has succeeded', each => each.status?.lastSuccessfulTime)
      await until('its Job is removed', async () => (await jobsOf(world(), named)).length === 0)
    }
    const sent = operatorRequests(world(), namespace)
      .slice(announced)
      .filter(({ verb, resource }) => verb !== 'watch' && resource !== 'leases')
    const of = (verb: string, resource: string): number =>
      sent.filter(each => each.verb === verb && each.resource === resource).length / KRON_JOBS
    const writes = sent.filter(isStatusWrite).length / KRON_JOBS
    console.error(`# requests per Job: ${sent.length / KRON_JOBS}, ${writes} of them status writes`)
    assert.deepEqual([of('create', 'jobs'), of('delete', 'jobs')], [1, 1])
    assert.ok(writes <= 2, `${writes} status writes`)
    assert.ok(sent.length / KRON_JOBS <= 6, `${sent.length / KRON_JOBS} requests`)
    await replica.kill('SIGTERM')
  })
}
