import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../verify/cluster/until.ts'
import { Audit } from './support/audit.ts'
import { condition, create, type Named, outcome, soon, template, when } from './support/kron-jobs.ts'
import { metricOf } from './support/metric.ts'
import { startReplica } from './support/replica.ts'
import { type AuditedRequest, isCreation, isStatusWrite, operatorRequests } from './support/requests.ts'
import type { World } from './support/world.ts'

const RARE = 240
const SOON = 5
/** Seconds after their creation within which those are due. */
const DUE_WITHIN = 7

/** Tests of the first start beside many KronJobs without a status. */
export function firstStart(world: () => World): void {
  test('at a first start, due KronJobs are announced and started before all statuses are written', async context => {
    const namespace = await world().namespace('first-start')
    const names = (prefix: string, length: number): Named[] =>
      Array.from({ length }, (_, i) => ({ namespace, name: `${prefix}-${i}` }))
    const jobTemplate = template(world(), 'succeeds')
    const audit = new Audit(world(), namespace)
    const rare = names('rare', RARE)
    for (const named of rare) await create(world(), named, { schedule: '0 0 29 2 *', jobTemplate })
    const broken = { namespace, name: 'broken' }
    const always = template(world(), 'succeeds')
    Object.assign((always.spec.template as { spec: object }).spec, { restartPolicy: 'Always' })
    await create(world(), broken, { schedule: '0 0 29 2 *', jobTemplate: always })
    const due = names('soon', SOON)
    const policy = { deadline: '5m' }
    for (const named of due) await create(world(), named, soon(named, { jobTemplate, policy }))
    const dueAt = Date.now() + DUE_WITHIN * 1000
    await until('they are due', () => Date.now() > dueAt)
    const replica = await startReplica(world(), { name: 'first-start', namespace })
    await replica.leading()
    for (const named of due) await outcome(world(), named, 'executed')
    const armed = async (): Promise<boolean> => (await metricOf(replica, 'kron_timers')) >= RARE + SOON
    await until('every KronJob has its timer', armed)
    for (const named of rare) await when(world(), named, 'has its status', each => each.status?.intent)
    await when(world(), broken, 'is invalid', each => condition(each, 'InvalidSpec')?.status === 'True')
    await replica.kill('SIGTERM')
    await audit.stop()
    assert.deepEqual(audit.contradictions(), [])
    if (!world().own) return context.diagnostic('an existing cluster has no audit log for us')
    const sent = operatorRequests(world(), namespace)
    const isJob = (each: AuditedRequest, name: string): boolean =>
      isCreation(each) && each.name.startsWith(`${name}-`) && !each.uri.includes('dryRun')
    for (const { name } of due) {
      const announced = sent.findIndex(each => isStatusWrite(each) && each.uri.includes(`/${name}/`))
      const created = sent.findIndex(each => isJob(each, name))
      assert.ok(announced >= 0 && announced < created, `${name}: ${announced}, ${created}`)
    }
    const firstJob = sent.findIndex(each => isJob(each, 'soon'))
    const lastFirstStatus = sent.findLastIndex(each => isStatusWrite(each) && each.uri.includes('/rare-'))
    assert.ok(firstJob < lastFirstStatus, `${firstJob}, ${lastFirstStatus}`)
  })
}
