import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../../../verify/cluster/until.ts'
import { kronJobsPath } from '../src/cluster/paths.ts'
import { crd } from '../src/install/manifests.ts'
import type { KronJob } from '../src/manifest/kronjob.ts'
import { Audit } from './support/audit.ts'
import { earlierOperator } from './support/earlier-operator.ts'
import {
  condition,
  create,
  jobsOf,
  outcome,
  read,
  remove,
  soon,
  template,
  when,
} from './support/kron-jobs.ts'
import { startReplica } from './support/replica.ts'
import type { World } from './support/world.ts'

/** Tests the upgrade of a cluster from an earlier operator to the new definition and the new operator. */
export function upgrade(world: () => World): void {
  test('an upgrade keeps existing KronJobs, counts their running Jobs and starts no period again', async context => {
    const { plane, kubectl } = world()
    const earlier = earlierOperator(plane.directory)
    if (earlier === undefined) return context.skip('this clone has no history')
    const define = async (name: string, text: string): Promise<void> => {
      const file = join(plane.directory, name)
      writeFileSync(file, text)
      await kubectl('apply', '--server-side', '--force-conflicts', '-f', file)
    }
    const namespace = await world().namespace('upgrade')
    const [busy, brief, still, typed] = ['busy', 'brief', 'still', 'typed'].map(name => ({ namespace, name }))
    const audit = new Audit(world(), namespace)
    await define('earlier-crd.yaml', earlier.crd)
    const old = await startReplica(world(), { name: 'earlier', namespace, program: earlier.program })
    await old.leading()
    const brieflyRuns = template(world(), 'succeeds')
    await create(world(), busy!, soon(busy!, { jobTemplate: template(world(), 'runs') }))
    await create(world(), brief!, soon(brief!, { jobTemplate: brieflyRuns, history: { successful: 100 } }))
    await create(world(), still!, soon(still!, { jobTemplate: brieflyRuns, policy: { suspend: true } }))
    // A typo that the earlier definition accepted.
    await create(
      world(),
      typed!,
      soon(typed!, { jobTemplate: template(world(), 'succeeds', { backofLimit: 3 }) }),
    )
    const all = async (): Promise<KronJob[]> =>
      (await world().api.get<{ items: KronJob[] }>(kronJobsPath(namespace))).items
    for (const each of [busy!, brief!, typed!]) await outcome(world(), each, 'executed')
    await old.kill('SIGTERM')
    const before = await all()
    const [running] = await jobsOf(world(), busy!)

    await define('crd.json', JSON.stringify(crd()))
    const replica = await startReplica(world(), { name: 'upgraded', namespace })
    await replica.leading()
    await when(
      world(),
      busy!,
      'skips a period beside the running Job',
      each => each.status?.lastOutcome === 'skipped',
    )
    assert.deepEqual(
      (await jobsOf(world(), busy!)).map(each => each.metadata.uid),
      [running!.metadata.uid],
    )
    for (const each of [brief!, typed!]) {
      const { status } = before.find(({ metadata }) => metadata.name === each.name)!
      await when(world(), each, 'starts another period', now => {
        return now.status?.lastOutcome === 'executed' && now.status.lastPeriodID !== status!.lastPeriodID
      })
    }
    await when(world(), brief!, 'counts results', each => each.status?.lastSuccessfulTime)
    await until('every KronJob is judged anew', async () =>
      (await all()).every(each => condition(each, 'Stalled')?.status === 'False'),
    )
    const after = await all()
    assert.equal(after.length, before.length)
    for (const [index, { metadata, spec, status }] of before.entries()) {
      assert.equal(after[index]!.metadata.uid, metadata.uid)
      assert.deepEqual(Object.keys(spec), Object.keys(after[index]!.spec))
      const through = (of: KronJob['status']): number =>
        Date.parse(of?.handledThrough ?? '1970-01-01T00:00:00Z')
      assert.ok(through(after[index]!.status) >= through(status), metadata.name)
    }
    assert.equal((await read(world(), still!)).status?.lastOutcome, undefined)
    assert.deepEqual(audit.contradictions(), [])
    for (const each of [busy!, brief!, still!, typed!]) await remove(world(), each)
    await audit.stop()
    await replica.kill('SIGTERM')
  })
}
